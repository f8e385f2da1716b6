/* A walk turns the links of each node round instead of keeping a stack, and ends at a variable that is a node; items of the stack by which the tree is taken down look like nodes; a right child that is not there is one of them. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right; };
struct item { struct item *below; struct node *tree; };

static struct node *leaf(void)
{
    struct node *n = malloc(sizeof *n);
    n->left = n->right = NULL;
    return n;
}

int main(void)
{
    struct node *root = leaf();
    while (__VERIFIER_nondet_int()) {
        struct node *at = root;
        while (at->left && at->right)
            at = __VERIFIER_nondet_int() ? at->left : at->right;
        if (!at->left)
            at->left = leaf();
        else
            at->right = leaf();
    }

    struct node end = { NULL, NULL }, *above = &end, *at = root;
    while (at != &end) {
        struct node *left = at->left;
        at->left = at->right;
        at->right = above;
        above = at;
        at = left;
        if (!at) {
            at = above;
            above = NULL;
        }
    }
    if (above != root)
        return *(int *)NULL;

    struct item *stack = malloc(sizeof *stack);
    stack->below = NULL;
    stack->tree = root;
    while (stack) {
        struct item *top = stack;
        struct node *tree = top->tree;
        stack = top->below;
        free(top);
        struct node *children[] = { tree->left, tree->right };
        for (int i = 0; i < 2; i++) {
            if (children[i] || i) {
                top = malloc(sizeof *top);
                top->below = stack;
                top->tree = children[i];
                stack = top;
            }
        }
        free(tree);
    }
    return 0;
}
