/* A search tree: keys are put in by a loop that keeps a pointer to the link, freed by recursion. */
#include <stdlib.h>

struct node { struct node *left, *right; int key; };

extern int __VERIFIER_nondet_int(void);

static struct node *insert(struct node *root, int key)
{
    struct node **link = &root;
    while (*link) {
        if ((*link)->key == key)
            return root;
        link = key < (*link)->key ? &(*link)->left : &(*link)->right;
    }
    struct node *n = malloc(sizeof *n);
    if (!n)
        return root;
    n->left = n->right = NULL;
    n->key = key;
    *link = n;
    return root;
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
    destroy(root);
    return 0;
}
