/* A circular singly linked list of any length. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *first = malloc(sizeof *first);
    first->next = first;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = first->next;
        first->next = n;
    }
    struct node *n = first->next;
    while (n != first) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
    free(first);
    return 0;
}
