/* A list of any length created by recursion. Violation: one level forgets what the next level
 * returned.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *create(void)
{
    if (!__VERIFIER_nondet_int())
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->next = create();
    if (__VERIFIER_nondet_int() == 1)
        n->next = NULL;
    return n;
}

int main(void)
{
    struct node *list = create();
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
