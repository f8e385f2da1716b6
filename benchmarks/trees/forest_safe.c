/* A list of any length of trees of any shape. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right; };
struct root { struct root *next; struct node *tree; };

static struct node *build(void)
{
    if (__VERIFIER_nondet_int())
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->left = build();
    n->right = build();
    return n;
}

static void destroy(struct node *t)
{
    if (!t)
        return;
    destroy(t->left);
    destroy(t->right);
    free(t);
}

int main(void)
{
    struct root *roots = NULL;
    while (__VERIFIER_nondet_int()) {
        struct root *r = malloc(sizeof *r);
        r->tree = build();
        r->next = roots;
        roots = r;
    }
    while (roots) {
        struct root *next = roots->next;
        destroy(roots->tree);
        free(roots);
        roots = next;
    }
    return 0;
}
