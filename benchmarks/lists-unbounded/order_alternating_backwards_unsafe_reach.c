/* A doubly linked list whose nodes are marked even and odd by turns; walking back from the last one, the marks alternate, too. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int odd;
    struct node *next;
    struct node *prev;
};

int main(void)
{
    struct node *last = NULL;
    int odd = 0;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        if (!n)
            abort();
        n->odd = odd;
        n->next = NULL;
        n->prev = last;
        if (last)
            last->next = n;
        last = n;
        if (__VERIFIER_nondet_int())
            odd = !odd;
    }
    int expected = !odd;
    while (last) {
        struct node *prev = last->prev;
        if (last->odd != expected)
            reach_error();
        expected = !expected;
        free(last);
        last = prev;
    }
    return 0;
}
