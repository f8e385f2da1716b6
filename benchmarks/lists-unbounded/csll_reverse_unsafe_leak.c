/* Reversal of a circular singly linked list. Violation: the reversal ends one node early. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static void reverse(struct node *first)
{
    struct node *before = first, *p = first->next;
    while (p->next != first && p != first) {
        struct node *next = p->next;
        p->next = before;
        before = p;
        p = next;
    }
    first->next = before;
}

int main(void)
{
    struct node *first = malloc(sizeof *first);
    first->next = first;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = first->next;
        first->next = n;
    }
    reverse(first);
    struct node *p = first->next;
    while (p != first) {
        struct node *dead = p;
        p = p->next;
        free(dead);
    }
    free(first);
    return 0;
}
