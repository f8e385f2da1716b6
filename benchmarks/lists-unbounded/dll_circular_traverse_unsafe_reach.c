/* A circular doubly linked list with a head node walked in both directions. Violation: the back
 * link of a node put at the end leaves out the former last one.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    struct node *next, *prev;
    char visits;
};

int main(void)
{
    struct node *head = malloc(sizeof *head);
    head->next = head->prev = head;
    head->visits = 2;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->visits = 0;
        n->next = head;
        n->prev = head->prev == head ? head : head->prev->prev;
        head->prev->next = n;
        head->prev = n;
    }
    struct node *p;
    for (p = head->next; p != head; p = p->next)
        p->visits = 1;
    for (p = head->prev; p != head; p = p->prev)
        p->visits = 2;
    for (p = head->next; p != head; p = p->next)
        if (p->visits != 2)
            reach_error();
    while (head->next != head) {
        p = head->next;
        head->next = p->next;
        free(p);
    }
    free(head);
    return 0;
}
