/* An allocator of the program's own makes all blocks: nodes of a tree, items of a stack that look like them, and names of another size. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right; };
struct item { struct item *below; struct node *tree; };
struct name { struct name *next; char text[16]; };

static void *get(size_t size)
{
    void *block = malloc(size);
    if (!block)
        abort();
    return block;
}

static void *get_clear(size_t size)
{
    void *block = get(size);
    memset(block, 0, size);
    return block;
}

int main(void)
{
    struct node *root = NULL;
    struct name *names = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node **at = &root;
        while (*at)
            at = __VERIFIER_nondet_int() ? &(*at)->left : &(*at)->right;
        *at = get_clear(sizeof **at);
        struct name *name = get(sizeof *name);
        name->next = names;
        names = name;
    }

    struct item *stack = get(sizeof *stack);
    stack->below = NULL;
    stack->tree = root;
    while (stack) {
        struct item *top = stack;
        struct node *tree = top->tree;
        stack = top->below;
        free(top);
        if (tree) {
            struct item *left = get(sizeof *left), *right = get(sizeof *right);
            left->below = stack;
            left->tree = tree->left;
            right->below = left;
            right->tree = tree->right;
            stack = right;
            free(tree);
        }
    }
    while (names) {
        struct name *gone = names;
        names = names->next;
        free(gone);
    }
    return 0;
}
