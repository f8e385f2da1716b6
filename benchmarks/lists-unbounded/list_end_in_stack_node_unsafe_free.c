/* A list whose last node lies on the stack. Violation: the walk that frees the nodes goes to
 * null.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

int main(void)
{
    struct node end = {NULL}, *list = &end;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    while (list != NULL) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
