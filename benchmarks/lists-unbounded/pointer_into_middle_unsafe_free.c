/* A pointer to any node of a list is kept; the list is cut behind it and both parts are freed.
 * Violation: the kept pointer is moved into the node before it is freed.
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
    rest = middle->next;
    middle->next = NULL;
    free_list(list);
    if (rest)
        rest = (struct node *)&rest->next;
    free(rest);
    return 0;
}
