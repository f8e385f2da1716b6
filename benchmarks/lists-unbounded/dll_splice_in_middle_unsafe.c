/* A doubly linked list put into another one behind any node. Violation: the node behind the gap
 * is taken to exist.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *prev; };

static void create(struct node **out)
{
    struct node *n, *behind = NULL;
    *out = NULL;
    while (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        n->next = behind;
        n->prev = NULL;
        if (behind)
            behind->prev = n;
        behind = n;
    }
    *out = behind;
}

int main(void)
{
    struct node *list, *other, *gap, *last;
    create(&list);
    create(&other);
    if (!list) {
        list = other;
    } else if (other) {
        for (gap = list; gap->next && __VERIFIER_nondet_int(); gap = gap->next)
            ;
        for (last = other; last->next; last = last->next)
            ;
        last->next = gap->next;
            gap->next->prev = last;
        gap->next = other;
        other->prev = gap;
    }
    while (list && list->next) {
        list = list->next;
        free(list->prev);
    }
    free(list);
    return 0;
}
