/* Deletion through a pointer to the link that leads to the node. */
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
