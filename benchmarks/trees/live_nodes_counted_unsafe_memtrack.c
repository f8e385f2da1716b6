/* A search tree whose nodes are counted: keys are put in and the tree is taken down by recursion, but for nodes with a left child, which was freed before. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right; int key; };

static int live;

static void put(void *block)
{
    if (block)
        live--;
    free(block);
}

static struct node *insert(struct node *n, int key)
{
    if (!n) {
        n = malloc(sizeof *n);
        live++;
        n->left = n->right = NULL;
        n->key = key;
    } else if (key < n->key)
        n->left = insert(n->left, key);
    else if (key > n->key)
        n->right = insert(n->right, key);
    return n;
}

static void destroy(struct node *n)
{
    if (n) {
        destroy(n->left);
        destroy(n->right);
        put(n->left ? NULL : n);
    }
}

int main(void)
{
    struct node *root = NULL;
    while (__VERIFIER_nondet_int())
        root = insert(root, __VERIFIER_nondet_int());
    destroy(root);
    return live;
}
