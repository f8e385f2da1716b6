/* A flag in each node tells whether the list owns its data or has it on loan. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int *data;
    unsigned owned : 1;
};

int main(void)
{
    int lent = 0;
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (__VERIFIER_nondet_int()) {
            n->data = &lent;
            n->owned = 0;
        } else {
            n->data = malloc(sizeof(int));
            n->owned = 1;
        }
        *n->data = 1;
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        if (n->owned)
            free(n->data);
        free(n);
    }
    return 0;
}
