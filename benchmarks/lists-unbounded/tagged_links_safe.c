/* The lowest bit of a link marks the node it leads to. */
#include <stdint.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int value; };

static struct node *clear(struct node *link)
{
    return (struct node *)((uintptr_t)link & ~(uintptr_t)1);
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = 0;
        n->next = (struct node *)((uintptr_t)list | 1);
        list = n;
    }
    for (struct node *n = list; n; n = clear(n->next))
        n->value = 1;
    while (list) {
        struct node *next = clear(list->next);
        free(list);
        list = next;
    }
    return 0;
}
