/* As many nodes are taken from the back of a doubly linked list as were put there: here one more is
   taken. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
};

int main(void)
{
    unsigned n = (unsigned)__VERIFIER_nondet_int();
    if (n > 10000)
        return 0;
    struct node *first = NULL, *last = NULL;
    for (unsigned i = 0; i < n; i++) {
        struct node *added = malloc(sizeof *added);
        if (!added)
            abort();
        added->next = NULL;
        added->prev = last;
        if (last)
            last->next = added;
        else
            first = added;
        last = added;
    }
    (void)first;
    for (unsigned i = 0; i <= n; i++) {
        struct node *prev = last->prev;
        free(last);
        last = prev;
    }
    return 0;
}
