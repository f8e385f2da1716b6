/* Each node of a list points to one of three variables, which are written through the list: all of them may be. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    struct node *next;
    int *to;
};

int main(void)
{
    int a = 0, b = 0, c = 0;
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        n->to = __VERIFIER_nondet_int() ? &a : __VERIFIER_nondet_int() ? &b : &c;
        list = n;
    }
    for (struct node *n = list; n; n = n->next)
        *n->to = 1;
    if (a == 1 && b == 1 && c == 1)
        reach_error();
    return 0;
}
