/* Access to the third node where there are at least three. Violation: two nodes are taken for
 * enough.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

int main(void)
{
    struct node *list = NULL;
    int count = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = 0;
        n->next = list;
        list = n;
        if (count < 3)
            count++;
    }
    if (count >= 2)
        list->next->next->value = 1;
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
