/* A doubly linked list of any length walked to its end and freed backwards. Violation: the first
 * node is freed a second time.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *prev, *next;
};

int main(void)
{
    struct node *first = malloc(sizeof *first);
    first->prev = first->next = NULL;
    struct node *last = first;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->prev = last;
        n->next = NULL;
        last->next = n;
        last = n;
    }
    last = first;
    while (last->next)
        last = last->next;
    while (last) {
        struct node *prev = last->prev;
        free(last);
        last = prev;
    }
    free(first);
    return 0;
}
