/* A tree whose nodes know their parents: loops walk down to insert, up to count, and take it down leaf by leaf without a stack. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int below; struct node *left, *right, *parent; };

static struct node *insert(struct node *root)
{
    struct node *n = malloc(sizeof *n);
    n->below = 0;
    n->left = n->right = n->parent = NULL;
    if (!root)
        return n;
    struct node *at = root;
    for (;;) {
        struct node **link = __VERIFIER_nondet_int() ? &at->left : &at->right;
        if (!*link) {
            *link = n;
            break;
        }
        at = *link;
    }
    n->parent = at;
    for (; at; at = at->parent)
        at->below = n->below;
    return root;
}

static struct node *top(struct node *n)
{
    while (n->parent)
        n = n->parent;
    return n;
}

static void destroy(struct node *n)
{
    while (n) {
        if (n->left) {
            n = n->left;
        } else if (n->right) {
            n = n->right;
        } else {
            struct node *parent = n->parent;
            if (parent && parent->left == n)
                parent->left = NULL;
            else if (parent)
                parent->right = NULL;
            free(n);
            n = parent;
        }
    }
}

int main(void)
{
    struct node *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root);
    if (root) {
        struct node *n = root;
        while (n->left)
            n = n->left;
        destroy(top(n));
    }
    return 0;
}
