/* Merge of two doubly linked lists by their values. Violation: the rest of the second list is
 * linked back although there may be none.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct dll {
    struct dll *next, *prev;
    int v;
} dll;

static dll *create(void)
{
    dll *list = NULL;
    while (__VERIFIER_nondet_int()) {
        dll *n = malloc(sizeof(dll));
        n->v = __VERIFIER_nondet_int();
        n->prev = NULL;
        n->next = list;
        if (list)
            list->prev = n;
        list = n;
    }
    return list;
}

static dll *merge(dll *a, dll *b)
{
    dll head = {NULL, NULL, 0}, *tail = &head;
    while (a && b) {
        dll **from = a->v <= b->v ? &a : &b;
        dll *n = *from;
        *from = n->next;
        n->prev = tail;
        tail->next = n;
        tail = n;
    }
    dll *rest = a ? a : b;
    tail->next = rest;
        rest->prev = tail;
    if (head.next)
        head.next->prev = NULL;
    return head.next;
}

int main(void)
{
    dll *a = create(), *b = create();
    dll *all = merge(a, b);
    dll *last = NULL;
    while (all) {
        last = all;
        all = all->next;
    }
    while (last) {
        all = last->prev;
        free(last);
        last = all;
    }
    return 0;
}
