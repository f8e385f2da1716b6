/* A list of any length whose nodes own a block or hold null. Violation: a node may share its block
 * with the next one.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int *data;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (list && __VERIFIER_nondet_int())
            n->data = list->data;
        else
            n->data = malloc(sizeof(int));
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n->data);
        free(n);
    }
    return 0;
}
