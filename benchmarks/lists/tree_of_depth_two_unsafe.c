/* A binary tree of depth two, freed recursively. Violation: the right subtree is not freed when
 * there is a left one.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct tree {
    struct tree *left, *right;
};

static struct tree *grow(int depth)
{
    if (depth == 0 || !__VERIFIER_nondet_int())
        return NULL;
    struct tree *t = malloc(sizeof *t);
    t->left = grow(depth - 1);
    t->right = grow(depth - 1);
    return t;
}

static void cut(struct tree *t)
{
    if (!t)
        return;
    cut(t->left);
    if (!t->left)
        cut(t->right);
    free(t);
}

int main(void)
{
    cut(grow(2));
    return 0;
}
