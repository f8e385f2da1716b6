/* A tree each of whose nodes owns a list of any length. Violation: only the first item
 * is freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item { struct item *next; int value; };
struct node { struct item *items; struct node *left, *right; };

static struct node *build(void)
{
    if (__VERIFIER_nondet_int())
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->items = NULL;
    while (__VERIFIER_nondet_int()) {
        struct item *i = malloc(sizeof *i);
        i->value = 1;
        i->next = n->items;
        n->items = i;
    }
    n->left = build();
    n->right = build();
    return n;
}

static void destroy(struct node *t)
{
    if (!t)
        return;
    if (t->items) {
        struct item *next = t->items->next;
        free(t->items);
        t->items = next;
    }
    destroy(t->left);
    destroy(t->right);
    free(t);
}

int main(void)
{
    destroy(build());
    return 0;
}
