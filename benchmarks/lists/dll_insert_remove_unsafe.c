/* A doubly linked list of four nodes from which one is removed. Violation: removing the first node
 * writes through its null predecessor.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *prev, *next;
};

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->prev = NULL;
        n->next = list;
        if (list)
            list->prev = n;
        list = n;
    }
    struct node *n = list;
    for (int i = 0; i < 3 && __VERIFIER_nondet_int(); i++)
        n = n->next;
    n->prev->next = n->next;
    if (n->next)
        n->next->prev = n->prev;
    free(n);
    while (list) {
        n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
