/* Reversal of a doubly linked list by swapping the links of each node. Violation: the old first
 * node is taken as the new one, the others are lost.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *prev, *next;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->prev = NULL;
        n->next = list;
        if (list)
            list->prev = n;
        list = n;
    }
    struct node *at = list;
    while (at) {
        struct node *next = at->next;
        at->next = at->prev;
        at->prev = next;
        at = next;
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
