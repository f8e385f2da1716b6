/* Insertion of a node behind any node of a list. */
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
    struct node *at = list;
    while (at->next && __VERIFIER_nondet_int())
        at = at->next;
    struct node *n = malloc(sizeof *n);
    n->next = at->next;
    at->next = n;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
