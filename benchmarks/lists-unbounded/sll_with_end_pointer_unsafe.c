/* A list with a pointer to its last node, which is found by a walk, too. Violation: the end
 * pointer stays behind when a node is appended while the value is 1.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *first = malloc(sizeof *first);
    first->next = NULL;
    struct node *last = first;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = NULL;
        last->next = n;
        if (__VERIFIER_nondet_int() != 1)
            last = n;
        else
            break;
    }
    struct node *n = first;
    while (n->next)
        n = n->next;
    if (n != last)
        reach_error();
    while (first) {
        n = first;
        first = n->next;
        free(n);
    }
    return 0;
}
