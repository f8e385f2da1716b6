/* A walk once around a circular list with a do loop meets each node's data. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    struct node *next;
    int seen;
};

int main(void)
{
    struct node *ring = NULL, *p;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->seen = 0;
        if (ring) {
            n->next = ring->next;
            ring->next = n;
        } else {
            n->next = n;
        }
        ring = n;
    }
    if (!ring)
        return 0;
    p = ring;
    do {
        p->seen = 1;
        p = p->next;
    } while (p != ring);
    do {
        if (!p->seen)
            reach_error();
        p = p->next;
    } while (p != ring);
    p = ring->next;
    while (p != ring) {
        struct node *next = p->next;
        free(p);
        p = next;
    }
    free(ring);
    return 0;
}
