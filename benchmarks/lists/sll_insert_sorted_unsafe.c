/* Sorted insertion of four nondeterministic values. Violation: a value larger than the first is
 * put first, too.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

static void insert(struct node **list, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->next = *list;
    *list = n;
}

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 4; i++)
        insert(&list, __VERIFIER_nondet_int());
    for (struct node *n = list; n->next; n = n->next)
        if (n->value > n->next->value)
            reach_error();
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
