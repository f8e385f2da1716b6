/* A doubly linked list walked forth and back: data set on the way forth is found on the way
 * back. Violation: the last node is not reached by the walk that sets the data.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int mark;
    struct node *prev, *next;
};

int main(void)
{
    struct node *first = malloc(sizeof *first), *last = first, *p;
    first->prev = first->next = NULL;
    first->mark = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->mark = 0;
        n->next = NULL;
        n->prev = last;
        last->next = n;
        last = n;
    }
    for (p = first; p->next != NULL; p = p->next)
        p->mark = 1;
    for (p = last; p != NULL; p = p->prev)
        if (p->mark != 1)
            reach_error();
    while (first) {
        p = first->next;
        free(first);
        first = p;
    }
    return 0;
}
