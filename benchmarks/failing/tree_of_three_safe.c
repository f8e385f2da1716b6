/* Tests a tree of three nodes, where allocations may fail. */
#include <stdlib.h>

struct tree { struct tree *left, *right; int key; };

static struct tree *leaf(int key)
{
    struct tree *t = calloc(1, sizeof *t);
    if (t)
        t->key = key;
    return t;
}

int main(void)
{
    struct tree *root = leaf(2);
    if (!root)
        return 1;
    root->left = leaf(1);
    root->right = leaf(3);
    int sum = root->key;
    if (root->left)
        sum += root->left->key;
    if (root->right)
        sum += root->right->key;
    free(root->left);
    free(root->right);
    free(root);
    return sum;
}
