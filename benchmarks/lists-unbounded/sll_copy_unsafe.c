/* A copy of a list, node by node, freed after the original. Violation: the copy's last node
 * continues in the original.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    struct node *copy = NULL, **end = &copy;
    for (struct node *n = list; n && (n->next || n == list); n = n->next) {
        struct node *c = malloc(sizeof *c);
        *c = *n;
        *end = c;
        end = &c->next;
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    while (copy) {
        struct node *n = copy;
        copy = n->next;
        free(n);
    }
    return 0;
}
