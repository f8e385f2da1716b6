/* A circular doubly linked list without head node freed from both ends towards the middle.
 * Violation: the two ends are stepped over before they are freed.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *prev; struct node *next; };

int main(void)
{
    struct node *l = malloc(sizeof *l), *r;
    l->prev = l->next = l;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = l;
        n->prev = l->prev;
        l->prev->next = n;
        l->prev = n;
    }
    r = l->prev;
    while (l != r && l->next != r) {
        struct node *left = l, *right = r;
        l = l->next;
        r = r->prev;
        if (l != r && l->next != r)
            l = l->next;
        free(left);
        free(right);
    }
    if (l != r)
        free(r);
    free(l);
    return 0;
}
