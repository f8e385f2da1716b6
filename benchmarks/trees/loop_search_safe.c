/* A search tree without recursion: a cursor to the link that leads on inserts, searches, removes, and takes the tree down. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *left, *right; };

static struct node **onward(struct node *n, int key)
{
    return key < n->key ? &n->left : &n->right;
}

static void insert(struct node **at, int key)
{
    while (*at) {
        if ((*at)->key == key)
            return;
        at = onward(*at, key);
    }
    *at = malloc(sizeof(struct node));
    (*at)->key = key;
    (*at)->left = (*at)->right = NULL;
}

static struct node *find(struct node *n, int key)
{
    while (n && n->key != key)
        n = key < n->key ? n->left : n->right;
    return n;
}

static void delete(struct node **at, int key)
{
    while (*at && (*at)->key != key)
        at = onward(*at, key);
    struct node *n = *at;
    if (!n)
        return;
    if (!n->left) {
        *at = n->right;
    } else if (!n->right) {
        *at = n->left;
    } else {
        /* The smallest of the greater keys comes here. */
        struct node **least = &n->right;
        while ((*least)->left)
            least = &(*least)->left;
        struct node *moved = *least;
        n->key = moved->key;
        *least = moved->right;
        n = moved;
    }
    free(n);
}

int main(void)
{
    struct node *root = NULL;
    while (__VERIFIER_nondet_int())
        insert(&root, __VERIFIER_nondet_int());
    struct node *n = find(root, 7);
    if (n && !n->left)
        n->key = 8;
    while (__VERIFIER_nondet_int())
        delete(&root, __VERIFIER_nondet_int());
    while (root) {
        struct node **leaf = &root;
        while ((*leaf)->left || (*leaf)->right)
            leaf = (*leaf)->left ? &(*leaf)->left : &(*leaf)->right;
        free(*leaf);
        *leaf = NULL;
    }
    return 0;
}
