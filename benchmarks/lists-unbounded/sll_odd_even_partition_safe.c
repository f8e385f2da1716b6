/* A list partitioned into two by the parity of its values. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static void destroy(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *list = NULL, *odd = NULL, *even = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        n->next = NULL;
        if (n->value % 2 == 0) {
            n->next = even;
            even = n;
        } else {
            n->next = odd;
            odd = n;
        }
    }
    destroy(odd);
    destroy(even);
    return 0;
}
