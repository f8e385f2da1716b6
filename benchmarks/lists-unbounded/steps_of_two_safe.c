/* A list walked in steps of two nodes. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; char *name; };

int main(void)
{
    struct node *list = NULL, *n;
    while (__VERIFIER_nondet_int()) {
        n = malloc(sizeof *n);
        n->name = "node";
        n->next = list;
        list = n;
    }
    for (n = list; n && n->next; n = n->next->next)
        n->name = "every other";
    while (list) {
        n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
