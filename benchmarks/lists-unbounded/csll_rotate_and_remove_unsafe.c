/* Rotation of a circular list and removal behind the current node. Violation: the node removed
 * last is not freed.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *at = malloc(sizeof *at);
    at->next = at;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = at->next;
        at->next = n;
    }
    while (at->next != at) {
        if (__VERIFIER_nondet_int())
            at = at->next;
        struct node *out = at->next;
        at->next = out->next;
        if (at->next != at)
            free(out);
    }
    free(at);
    return 0;
}
