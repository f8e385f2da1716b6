/* Reversal of an embedded list by moving each entry to the front, then by exchanging all links. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct link { struct link *next, *prev; } link;

typedef struct { double weight; link hook; } edge;

#define EDGE(l) ((edge *)((unsigned long)(l) - (unsigned long)&((edge *)0)->hook))

static void move_to_front(link *l, link *head)
{
    l->prev->next = l->next;
    l->next->prev = l->prev;
    l->next = head->next;
    l->prev = head;
    head->next->prev = l;
    head->next = l;
}

int main(void)
{
    link head = {&head, &head}, *l, *next;
    while (__VERIFIER_nondet_int()) {
        edge *e = malloc(sizeof *e);
        e->weight = 1.5;
        e->hook.prev = head.prev;
        e->hook.next = &head;
        head.prev->next = &e->hook;
        head.prev = &e->hook;
    }
    for (l = head.next; l != &head; l = next) {
        next = l->next;
        move_to_front(l, &head);
    }
    l = &head;
    do {
        next = l->next;
        l->next = l->prev;
        l->prev = next;
        l = next;
    } while (l != &head);
    for (l = head.prev; l != &head; l = next) {
        next = l->prev;
        free(EDGE(l));
    }
    return 0;
}
