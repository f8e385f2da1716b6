/* A tree of any shape is rotated at its root to either side, singly and doubly. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right; };

static struct node *build(void)
{
    if (__VERIFIER_nondet_int())
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->left = build();
    n->right = build();
    return n;
}

static void destroy(struct node *t)
{
    if (!t)
        return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}

static struct node *left(struct node *t)
{
    struct node *r = t->right;
    t->right = r->left;
    r->left = t;
    return r;
}

static struct node *right(struct node *t)
{
    struct node *l = t->left;
    t->left = l->right;
    l->right = t;
    return l;
}

int main(void)
{
    struct node *root = build();
    while (__VERIFIER_nondet_int()) {
        if (root && root->right) {
            if (root->right->left && __VERIFIER_nondet_int())
                root->right = right(root->right);
            root = left(root);
        } else if (root && root->left) {
            if (root->left->right && __VERIFIER_nondet_int())
                root->left = left(root->left);
            root = right(root);
        }
    }
    destroy(root);
    return 0;
}
