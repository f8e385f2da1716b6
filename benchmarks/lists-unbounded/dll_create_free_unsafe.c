/* A doubly linked list of any length: the back link of each node's successor leads back.
 * Violation: one back link may be missing.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

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
        if (list && __VERIFIER_nondet_int() != 2)
            list->prev = n;
        list = n;
    }
    for (struct node *n = list; n; n = n->next)
        if (n->next && n->next->prev != n)
            reach_error();
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
