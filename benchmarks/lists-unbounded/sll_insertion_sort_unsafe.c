/* Insertion sort by moving nodes from one list to another. Violation: a node equal to one already
 * there is dropped.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL, *sorted = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        struct node **link = &sorted;
        while (*link && (*link)->value < n->value)
            link = &(*link)->next;
        if (*link && (*link)->value == n->value)
            continue;
        n->next = *link;
        *link = n;
    }
    while (sorted) {
        struct node *n = sorted;
        sorted = n->next;
        free(n);
    }
    return 0;
}
