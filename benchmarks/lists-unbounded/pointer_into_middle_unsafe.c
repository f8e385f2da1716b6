/* A pointer to any node of a list is kept; the list is cut behind it and both parts are freed.
 * Violation: the kept node is read after the first part was freed.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static void free_list(struct node *l)
{
    while (l) {
        struct node *next = l->next;
        free(l);
        l = next;
    }
}

int main(void)
{
    struct node *list = NULL, *middle = NULL, *rest;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = 0;
        n->next = list;
        list = n;
        if (middle == NULL || __VERIFIER_nondet_int())
            middle = n;
    }
    if (middle == NULL)
        return 0;
    middle->value = 1;
    free_list(list);
    rest = middle->next;
    free_list(rest);
    return 0;
}
