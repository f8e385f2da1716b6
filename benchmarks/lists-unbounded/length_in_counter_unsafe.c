/* A counter runs along with the length of the list and guards its walk. Violation: the walk
 * makes one step more than there are nodes.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };

int main(void)
{
    struct node *list = NULL, *p;
    unsigned int count = 0;
    while (__VERIFIER_nondet_int()) {
        p = malloc(sizeof *p);
        p->value = 0;
        p->next = list;
        list = p;
        count++;
    }
    p = list;
    for (unsigned int i = 0; i <= count; i++) {
        p->value = 1;
        p = p->next;
    }
    while (list) {
        p = list;
        list = p->next;
        free(p);
    }
    return 0;
}
