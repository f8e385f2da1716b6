/* What one number of a node may be depends on another one. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    struct node *next;
    int size, room;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->size = __VERIFIER_nondet_int();
        n->room = n->size > 2 ? 1 : n->size;
        n->next = list;
        list = n;
    }
    for (struct node *n = list; n; n = n->next)
        if (n->size > 2 ? n->room != 1 : n->room != n->size)
            reach_error();
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
