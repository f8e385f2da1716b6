/* A search tree: insertion, lookup, removal of the smallest key, and destruction, all by recursion. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *left, *right; };

static struct node *insert(struct node *t, int key)
{
    if (!t) {
        struct node *n = malloc(sizeof *n);
        n->key = key;
        n->left = n->right = NULL;
        return n;
    }
    if (key < t->key)
        t->left = insert(t->left, key);
    else if (key > t->key)
        t->right = insert(t->right, key);
    return t;
}

static int contains(const struct node *t, int key)
{
    if (!t)
        return 0;
    if (t->key == key)
        return 1;
    return contains(key < t->key ? t->left : t->right, key);
}

static struct node *without_smallest(struct node *t)
{
    if (!t->left) {
        struct node *rest = t->right;
        free(t);
        return rest;
    }
    t->left = without_smallest(t->left);
    return t;
}

static void clear(struct node *t)
{
    if (!t)
        return;
    clear(t->left);
    clear(t->right);
    free(t);
}

int main(void)
{
    struct node *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    while (root && !contains(root, 7))
        root = without_smallest(root);
    clear(root);
    return 0;
}
