/* Insertion sort of a circular doubly linked list with a head node: neighbours end up in order. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
    int key;
};

static struct node unsorted = {&unsorted, &unsorted, 0}, sorted = {&sorted, &sorted, 0};

static void unlink_node(struct node *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
}

static void link_before(struct node *n, struct node *where)
{
    n->next = where;
    n->prev = where->prev;
    n->prev->next = n;
    n->next->prev = n;
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_int();
        link_before(n, &unsorted);
    }
    while (unsorted.next != &unsorted) {
        struct node *n = unsorted.next, *p = sorted.next;
        unlink_node(n);
        while (p != &sorted && p->key < n->key)
            p = p->next;
        link_before(n, p);
    }
    while (sorted.next != &sorted) {
        struct node *n = sorted.next;
        unlink_node(n);
        free(n);
    }
    return 0;
}
