/* Insertion at the front, at the end and in the middle of a circular doubly linked list without
 * head node.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *prev;
};

static void insert_between(struct node *a, struct node *b, struct node *n)
{
    n->prev = a;
    n->next = b;
    a->next = n;
    b->prev = n;
}

int main(void)
{
    struct node *first = malloc(sizeof *first);
    first->next = first;
    first->prev = first;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        int where = __VERIFIER_nondet_int();
        if (where < 0) {
            insert_between(first->prev, first, n);
            first = n;
        } else if (where == 0) {
            insert_between(first->prev, first, n);
        } else {
            struct node *p = first;
            while (where-- > 0 && p->next != first)
                p = p->next;
            insert_between(p, p->next, n);
        }
    }
    first->prev->next = NULL;
    while (first) {
        struct node *next = first->next;
        if (next)
            next->prev = NULL;
        free(first);
        first = next;
    }
    return 0;
}
