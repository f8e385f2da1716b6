/* Reversal of a doubly linked list by swapping the links of each node. */
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
        list = at;
        at = next;
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
