/* The first node of a list is moved to its end. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node *list = NULL, *last;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    if (list && list->next) {
        for (last = list; last->next; last = last->next)
            ;
        last->next = list;
        last = list;
        list = list->next;
        last->next = NULL;
        last = NULL;
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
