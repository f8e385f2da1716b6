/* A tree becomes a list in order, linked by its right pointers, which a loop takes down. Violation: what follows is
 * lost. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *left, *right; };

static struct node *build(void)
{
    if (__VERIFIER_nondet_int())
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->left = build();
    n->right = build();
    return n;
}

static struct node *flatten(struct node *t, struct node *rest)
{
    if (!t)
        return rest;
    struct node *left = t->left;
    t->left = NULL;
    t->right = flatten(t->right, NULL);
    return flatten(left, t);
}

int main(void)
{
    struct node *list = flatten(build(), NULL);
    while (list) {
        struct node *next = list->right;
        free(list);
        list = next;
    }
    return 0;
}
