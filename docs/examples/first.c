#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    while (list != NULL) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
