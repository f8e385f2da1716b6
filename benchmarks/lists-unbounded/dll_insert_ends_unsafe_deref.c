/* A doubly linked list with pointers to both ends: insertion at the front, in the middle, at the
 * end. Violation: the back link of a node put at the end leads to that node itself.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    struct node *prev;
};

struct deque {
    struct node *first, *last;
};

static void push_front(struct deque *d)
{
    struct node *n = malloc(sizeof *n);
    n->prev = NULL;
    n->next = d->first;
    if (d->first != NULL)
        d->first->prev = n;
    else
        d->last = n;
    d->first = n;
}

static void push_back(struct deque *d)
{
    struct node *n = malloc(sizeof *n);
    n->next = NULL;
    n->prev = d->last ? n : NULL;
    if (d->last != NULL)
        d->last->next = n;
    else
        d->first = n;
    d->last = n;
}

static void insert_after(struct deque *d, struct node *where)
{
    if (where == d->last) {
        push_back(d);
        return;
    }
    struct node *n = malloc(sizeof *n);
    n->prev = where;
    n->next = where->next;
    where->next->prev = n;
    where->next = n;
}

int main(void)
{
    struct deque d = {0};
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            push_front(&d);
        else
            push_back(&d);
    }
    if (d.first != NULL)
        insert_after(&d, d.first);
    while (d.last != NULL) {
        struct node *n = d.last;
        d.last = n->prev;
        free(n);
    }
    return 0;
}
