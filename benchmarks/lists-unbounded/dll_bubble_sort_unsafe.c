/* Bubble sort of a doubly linked list by relinking neighbours. Violation: the neighbour behind
 * the exchanged pair is taken to exist.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    int value;
    struct item *prev;
    struct item *next;
};

static struct item *list;

static void exchange_with_next(struct item *a)
{
    struct item *b = a->next;
    if (a->prev)
        a->prev->next = b;
    else
        list = b;
    b->next->prev = a;
    b->prev = a->prev;
    a->prev = b;
    a->next = b->next;
    b->next = a;
}

int main(void)
{
    int again;
    while (__VERIFIER_nondet_int()) {
        struct item *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->prev = NULL;
        n->next = list;
        if (list)
            list->prev = n;
        list = n;
    }
    do {
        again = 0;
        struct item *p = list;
        while (p && p->next) {
            if (p->value > p->next->value) {
                exchange_with_next(p);
                again = 1;
            } else {
                p = p->next;
            }
        }
    } while (again);
    while (list) {
        struct item *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
