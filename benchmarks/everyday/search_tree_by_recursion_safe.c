/* A search tree: keys are put in by recursion and looked for by a loop. */
#include <stdlib.h>

struct node { struct node *left, *right; int key; };

extern int __VERIFIER_nondet_int(void);

static struct node *insert(struct node *n, int key)
{
    if (!n) {
        n = malloc(sizeof *n);
        if (!n)
            abort();
        n->left = n->right = NULL;
        n->key = key;
    } else if (key < n->key)
        n->left = insert(n->left, key);
    else if (key > n->key)
        n->right = insert(n->right, key);
    return n;
}

static int contains(struct node *n, int key)
{
    while (n && n->key != key)
        n = key < n->key ? n->left : n->right;
    return n != NULL;
}

static void destroy(struct node *n)
{
    if (!n)
        return;
    destroy(n->left);
    destroy(n->right);
    free(n);
}

int main(void)
{
    struct node *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    int found = contains(root, __VERIFIER_nondet_int());
    destroy(root);
    return found;
}
