/* The second node of a list that has at least two. Violation: the list may have one node. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = malloc(sizeof *list);
    list->next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    struct node *third = list->next->next;
    free(list->next);
    free(list);
    while (third) {
        struct node *next = third->next;
        free(third);
        third = next;
    }
    return 0;
}
