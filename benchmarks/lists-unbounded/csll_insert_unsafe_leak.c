/* Insertion into a circular list: in front of its first node, behind the last, and behind any
 * node. Violation: the node inserted in front is not linked from the last one.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct ring {
    struct ring *next;
    int data;
} ring;

static ring *new_node(int data)
{
    ring *n = malloc(sizeof *n);
    n->data = data;
    n->next = n;
    return n;
}

static void link_behind(ring *where, ring *n)
{
    n->next = where->next;
    where->next = n;
}

int main(void)
{
    ring *last = new_node(0);
    while (__VERIFIER_nondet_int()) {
        ring *n = new_node(1);
        ring *p;
        switch (__VERIFIER_nondet_int()) {
        case 0:
            n->next = last->next;
            break;
        case 1:
            link_behind(last, n);
            last = n;
            break;
        default:
            p = last->next;
            while (p != last && __VERIFIER_nondet_int())
                p = p->next;
            link_behind(p, n);
            if (p == last)
                last = n;
        }
    }
    for (ring *p = last->next, *q; p != last; p = q) {
        q = p->next;
        free(p);
    }
    free(last);
    return 0;
}
