/* An editor with undo and redo: a change is put on a stack, undoing it moves it to another one. The text of what is dropped is lost. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct change {
    struct change *below;
    char *text;
    int at;
};

struct editor {
    struct change *undo;
    struct change *redo;
    int changes;
};

static void drop(struct change **stack)
{
    while (*stack) {
        struct change *top = *stack;
        *stack = top->below;
        free(top);
    }
}

static int change(struct editor *editor, int at)
{
    struct change *new = malloc(sizeof *new);
    if (!new)
        return 0;
    new->text = malloc(8);
    if (!new->text) {
        free(new);
        return 0;
    }
    new->text[0] = 'x';
    new->text[1] = '\0';
    new->at = at;
    new->below = editor->undo;
    editor->undo = new;
    drop(&editor->redo);
    editor->changes++;
    return 1;
}

static void move(struct change **from, struct change **to)
{
    struct change *top = *from;
    if (!top)
        return;
    *from = top->below;
    top->below = *to;
    *to = top;
}

int main(void)
{
    struct editor editor = {NULL, NULL, 0};
    int key;
    while ((key = __VERIFIER_nondet_int()) != 0) {
        if (key == 1)
            move(&editor.undo, &editor.redo);
        else if (key == 2)
            move(&editor.redo, &editor.undo);
        else if (!change(&editor, key))
            break;
    }
    drop(&editor.undo);
    drop(&editor.redo);
    return 0;
}
