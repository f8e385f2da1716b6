/* The back links of a list are set in a second pass. Violation: the second pass skips the last
 * node, whose back link is arbitrary.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    struct node *next, *prev;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    struct node *prev = NULL, *last = NULL;
    for (struct node *n = list; n; n = n->next) {
        if (n->next)
            n->prev = prev;
        prev = n;
        last = n;
    }
    for (struct node *n = last; n; n = n->prev)
        if (n->prev && n->prev->next != n)
            reach_error();
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
