/* Every node points up to the node before it, which is gone when the list is freed from its
 * start.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *up; int value; };

int main(void)
{
    struct node *list = NULL, *n;
    while (__VERIFIER_nondet_int()) {
        n = calloc(1, sizeof *n);
        n->next = list;
        list = n;
    }
    for (n = list; n && n->next; n = n->next)
        n->next->up = n;
    for (n = list; n; n = n->next)
        if (n->up)
            n->up->value++;
    while (list) {
        n = list;
        list = list->next;
        free(n);
        if (list)
            list->up = NULL;
    }
    return 0;
}
