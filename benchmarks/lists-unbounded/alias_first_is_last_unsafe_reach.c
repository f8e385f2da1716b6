/* The last node is marked, then the first one is looked at. Violation: in a list of one node
 * both are the same.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node { int mark; struct node *next; };

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->mark = 0;
        n->next = list;
        list = n;
    }
    struct node *last = list;
    while (last && last->next)
        last = last->next;
    if (last)
        last->mark = 1;
    if (list && list->mark)
        reach_error();
    return 0;
}
