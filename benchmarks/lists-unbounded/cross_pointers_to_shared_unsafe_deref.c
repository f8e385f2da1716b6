/* Every node of a list points to the same counter, which counts them. Violation: the counter is
 * freed before the last node gives up its reference.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct shared { unsigned int uses; };

struct node {
    struct shared *shared;
    struct node *next;
};

int main(void)
{
    struct shared *shared = malloc(sizeof *shared);
    struct node *list = NULL;
    shared->uses = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->shared = shared;
        n->shared->uses++;
        n->next = list;
        list = n;
    }
    free(shared);
    while (list) {
        struct node *n = list;
        list = n->next;
        n->shared->uses--;
        free(n);
    }
    return 0;
}
