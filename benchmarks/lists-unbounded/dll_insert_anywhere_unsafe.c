/* Insertion into a doubly linked list behind any node. Violation: behind the last node there is
 * none whose back link could be set.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *prev, *next;
};

int main(void)
{
    struct node *list = malloc(sizeof *list);
    list->prev = list->next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *at = list;
        while (at->next && __VERIFIER_nondet_int())
            at = at->next;
        struct node *n = malloc(sizeof *n);
        n->prev = at;
        n->next = at->next;
        n->next->prev = n;
        at->next = n;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
