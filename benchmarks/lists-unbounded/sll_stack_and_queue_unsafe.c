/* Pushes and pops in any order, with a counter that tells whether the stack is empty. Violation: a
 * pop does not look whether there is an element.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *top = NULL;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int()) {
            struct node *n = malloc(sizeof *n);
            n->next = top;
            top = n;
        } else {
            struct node *n = top;
            top = n->next;
            free(n);
        }
    }
    while (top) {
        struct node *n = top;
        top = n->next;
        free(n);
    }
    if (top)
        reach_error();
    return 0;
}
