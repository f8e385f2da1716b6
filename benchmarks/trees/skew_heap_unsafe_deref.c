/* A priority queue as a skew heap: heaps are merged by recursion, with their children exchanged. Violation:
 * a freed node is read. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *left, *right; };

static struct node *merge(struct node *a, struct node *b)
{
    if (!a)
        return b;
    if (!b)
        return a;
    if (b->key < a->key) {
        struct node *other = a;
        a = b;
        b = other;
    }
    struct node *right = a->right;
    a->right = a->left;
    a->left = merge(right, b);
    return a;
}

int main(void)
{
    struct node *heap = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_int();
        n->left = n->right = NULL;
        heap = merge(heap, n);
    }
    while (heap) {
        struct node *least = heap;
        free(least);
        heap = merge(least->left, least->right);
    }
    return 0;
}
