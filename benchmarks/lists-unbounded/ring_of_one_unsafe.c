/* A ring from which the node behind the first is deleted. Violation: in a ring of one node that
 * is the first node itself.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int value; };

int main(void)
{
    struct node *first = malloc(sizeof *first);
    first->next = first;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = first->next;
        first->next = n;
    }
    struct node *dead = first->next;
        first->next = dead->next;
        free(dead);
    first->value = 0;
    while (first->next != first) {
        dead = first->next;
        first->next = dead->next;
        free(dead);
    }
    free(first);
    return 0;
}
