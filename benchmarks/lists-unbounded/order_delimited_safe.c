/* A list ends with a sentinel of its own kind, and groups in it with separators: never two separators in a row. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum kind { WORD, BREAK, END };

struct token {
    enum kind kind;
    char *text;
    struct token *next;
};

static struct token *token(enum kind kind)
{
    struct token *t = malloc(sizeof *t);
    if (!t)
        abort();
    t->kind = kind;
    t->text = NULL;
    t->next = NULL;
    return t;
}

int main(void)
{
    struct token *first = token(WORD);
    struct token *last = first;
    first->text = malloc(4);
    if (!first->text)
        abort();
    while (__VERIFIER_nondet_int()) {
        if (last->kind == WORD && __VERIFIER_nondet_int()) {
            last->next = token(BREAK);
            last = last->next;
        } else {
            last->next = token(WORD);
            last = last->next;
            last->text = malloc(4);
            if (!last->text)
                abort();
        }
    }
    last->next = token(END);
    struct token *at = first;
    int breaks = 0;
    while (at->kind != END) {
        struct token *next = at->next;
        if (at->kind == BREAK) {
            if (++breaks > 1)
                reach_error();
        } else {
            breaks = 0;
            at->text[3] = 0;
            free(at->text);
        }
        free(at);
        at = next;
    }
    free(at);
    return 0;
}
