/* Every node of a list points to the same counter, which counts them. Violation: the counter is
 * freed with every node, not with the last one only.
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
    if (!list)
        free(shared);
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n->shared);
        free(n);
    }
    return 0;
}
