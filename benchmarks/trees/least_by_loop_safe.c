/* A search tree that a loop with two variables, node and parent, builds; another takes out the smallest key until nothing is left. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right; int key, count; };

static struct node *with(struct node *root, int key)
{
    struct node *parent = NULL, *n = root;
    while (n) {
        if (n->key == key) {
            n->count++;
            return root;
        }
        parent = n;
        n = key < n->key ? n->left : n->right;
    }
    n = malloc(sizeof *n);
    n->left = n->right = NULL;
    n->key = key;
    n->count = 1;
    if (!parent)
        return n;
    if (key < parent->key)
        parent->left = n;
    else
        parent->right = n;
    return root;
}

static int least(const struct node *n)
{
    while (n->left)
        n = n->left;
    return n->key;
}

static struct node *without_least(struct node *root)
{
    struct node *parent = NULL, *n = root;
    while (n->left) {
        parent = n;
        n = n->left;
    }
    struct node *rest = n->right;
    free(n);
    if (!parent)
        return rest;
    parent->left = rest;
    return root;
}

int main(void)
{
    struct node *root = NULL;
    while (__VERIFIER_nondet_int())
        root = with(root, __VERIFIER_nondet_int());
    while (root) {
        if (least(root) == 7)
            root->count = 0;
        root = without_least(root);
    }
    return 0;
}
