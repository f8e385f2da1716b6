/* A tree of any shape is taken down by a loop with a stack, which forgets the right children; its items look like nodes: two pointers each. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right; };
struct item { struct item *below; struct node *tree; };

static struct node *build(void)
{
    struct node *root = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node **at = &root;
        while (*at)
            at = __VERIFIER_nondet_int() ? &(*at)->left : &(*at)->right;
        *at = malloc(sizeof **at);
        (*at)->left = (*at)->right = NULL;
    }
    return root;
}

static struct item *push(struct item *stack, struct node *tree)
{
    struct item *top = malloc(sizeof *top);
    top->below = stack;
    top->tree = tree;
    return top;
}

int main(void)
{
    struct item *stack = push(NULL, build());
    while (stack) {
        struct item *below = stack->below;
        struct node *t = stack->tree;
        free(stack);
        stack = below;
        if (t) {
            stack = push(stack, t->left);
            free(t);
        }
    }
    return 0;
}
