/* A tree is rotated to the right at any of its nodes, but a child keeps what was above it. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    struct node *left, *right;
};

static struct node *any_tree(void)
{
    if (__VERIFIER_nondet_int())
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->left = any_tree();
    n->right = any_tree();
    return n;
}

static struct node *any_below(struct node *t)
{
    while (t && __VERIFIER_nondet_int())
        t = __VERIFIER_nondet_int() ? t->left : t->right;
    return t;
}

/* Nobody meets a node twice on a way down. */
static void check(struct node *root)
{
    struct node *met = any_below(root);
    struct node *n = met;
    while (n && __VERIFIER_nondet_int()) {
        n = __VERIFIER_nondet_int() ? n->left : n->right;
        if (n && n == met)
            reach_error();
    }
}

static void rotate_right(struct node **tree)
{
    struct node *t = *tree, *up = t->left;
    up->right = t;
    *tree = up;
}

int main(void)
{
    struct node *root = any_tree();
    struct node **at = &root;
    while (*at && __VERIFIER_nondet_int())
        at = __VERIFIER_nondet_int() ? &(*at)->left : &(*at)->right;
    if (*at && (*at)->left)
        rotate_right(at);
    check(root);
    return 0;
}
