/* Two cursors into one list, each at any node; one node is deleted. Violation: the other cursor
 * may stand at the same node.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

int main(void)
{
    struct node *list = NULL, *a = NULL, *b = NULL, **link = &list;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = 0;
        n->next = list;
        list = n;
    }
    for (struct node *n = list; n; n = n->next) {
        if (__VERIFIER_nondet_int())
            a = n;
        if (__VERIFIER_nondet_int())
            b = n;
    }
    if (a) {
        while (*link != a)
            link = &(*link)->next;
        *link = a->next;
        free(a);
        if (b)
            b->value = 1;
    }
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
