/* A list whose nodes all hold 1, followed by a last one that holds 2. Violation: a node in the
 * middle may hold 3.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

static struct node *make(int value, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = next;
    return n;
}

int main(void)
{
    struct node *list = make(2, NULL);
    while (__VERIFIER_nondet_int())
        list = make(__VERIFIER_nondet_int() ? 1 : 3, list);
    struct node *n = list;
    while (n->value == 1)
        n = n->next;
    if (n->value != 2)
        reach_error();
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
