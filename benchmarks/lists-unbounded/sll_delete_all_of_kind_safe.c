/* Deletion of all nodes marked 0: none is left. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int mark;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->mark = __VERIFIER_nondet_int() ? 1 : 0;
        n->next = list;
        list = n;
    }
    struct node **link = &list;
    while (*link) {
        struct node *n = *link;
        if (n->mark == 0) {
            *link = n->next;
            free(n);
            continue;
        }
        link = &n->next;
    }
    for (struct node *n = list; n; n = n->next)
        if (n->mark == 0)
            reach_error();
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
