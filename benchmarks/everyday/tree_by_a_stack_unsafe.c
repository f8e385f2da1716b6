/* A tree is built by recursion, and summed up and freed by a stack of nodes. A node is read after it is freed. */
#include <stdlib.h>

struct node { struct node *left, *right; int key; };
struct item { struct item *below; struct node *node; };

extern int __VERIFIER_nondet_int(void);

static struct node *build(void)
{
    if (!__VERIFIER_nondet_int())
        return NULL;
    struct node *n = malloc(sizeof *n);
    if (!n)
        return NULL;
    n->key = __VERIFIER_nondet_int();
    n->left = build();
    n->right = build();
    return n;
}

static struct item *push(struct item *top, struct node *n)
{
    if (!n)
        return top;
    struct item *i = malloc(sizeof *i);
    if (!i)
        abort();
    i->node = n;
    i->below = top;
    return i;
}

int main(void)
{
    struct node *root = build();
    struct item *top = push(NULL, root);
    int sum = 0;
    while (top) {
        struct item *i = top;
        struct node *n = i->node;
        top = i->below;
        free(i);
        sum ^= n->key;
        top = push(top, n->right);
        free(n);
        top = push(top, n->left);
    }
    return sum;
}
