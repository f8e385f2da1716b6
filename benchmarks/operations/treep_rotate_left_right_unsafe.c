/* A tree with links to parents is rotated to the left and to the right at any of its nodes, but the subtree in between keeps its parent. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    struct node *left, *right, *parent;
};

static struct node *any_tree(struct node *parent)
{
    if (__VERIFIER_nondet_int())
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->parent = parent;
    n->left = any_tree(n);
    n->right = any_tree(n);
    return n;
}

static struct node *any_below(struct node *t)
{
    while (t && __VERIFIER_nondet_int())
        t = __VERIFIER_nondet_int() ? t->left : t->right;
    return t;
}

static void destroy(struct node *t)
{
    if (!t)
        return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}

/* The children of each node lead back to it. */
static void check(struct node *root)
{
    struct node *n = any_below(root);
    if (n && n->left && n->left->parent != n)
        reach_error();
    if (n && n->right && n->right->parent != n)
        reach_error();
}

/* Puts `up` where `t` is below its parent; the root after that. */
static struct node *replace(struct node *root, struct node *t, struct node *up)
{
    up->parent = t->parent;
    if (!t->parent)
        root = up;
    else if (t->parent->left == t)
        t->parent->left = up;
    else
        t->parent->right = up;
    return root;
}

static struct node *rotate_left(struct node *root, struct node *t)
{
    struct node *up = t->right;
    root = replace(root, t, up);
    t->right = up->left;
    if (t->right)
        t->right->parent = up;
    up->left = t;
    t->parent = up;
    return root;
}

static struct node *rotate_right(struct node *root, struct node *t)
{
    struct node *up = t->left;
    root = replace(root, t, up);
    t->left = up->right;
    if (t->left)
        t->left->parent = t;
    up->right = t;
    t->parent = up;
    return root;
}

static struct node *rotate_left_right(struct node *root, struct node *t)
{
    root = rotate_left(root, t->left);
    return rotate_right(root, t);
}

int main(void)
{
    struct node *root = any_tree(NULL);
    struct node *t = any_below(root);
    if (t && t->left && t->left->right)
        root = rotate_left_right(root, t);
    check(root);
    destroy(root);
    return 0;
}
