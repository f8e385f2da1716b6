/* A binary tree of any size taken down through an explicit stack of its nodes. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right, *stack;
};

int main(void)
{
    struct tree *root = NULL;
    while (__VERIFIER_nondet_int()) {
        struct tree **at = &root;
        while (*at)
            at = __VERIFIER_nondet_int() ? &(*at)->left : &(*at)->right;
        *at = malloc(sizeof(struct tree));
        (*at)->left = (*at)->right = NULL;
    }
    struct tree *stack = root;
    if (stack)
        stack->stack = NULL;
    while (stack) {
        struct tree *t = stack;
        stack = t->stack;
        if (t->left) {
            t->left->stack = stack;
            stack = t->left;
        }
        if (t->right) {
            t->right->stack = stack;
            stack = t->right;
        }
        free(t);
    }
    return 0;
}
