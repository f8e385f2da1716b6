/* A list of any length whose nodes own a block or hold null. */
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
        n->data = __VERIFIER_nondet_int() ? malloc(sizeof(int)) : NULL;
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
