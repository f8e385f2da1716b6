/* Deletion through a pointer to the link that leads to the node. Violation: after a deletion the
 * pointer goes on inside the freed node.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int key; struct node *next; };

int main(void)
{
    struct node *list = NULL, **link = &list;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    while (*link) {
        struct node *n = *link;
        if (n->key < 0) {
            *link = n->next;
            free(n);
            link = &n->next;
        } else {
            link = &n->next;
        }
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
