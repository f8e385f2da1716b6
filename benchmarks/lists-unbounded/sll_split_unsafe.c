/* A list split in two at any place. Violation: the first part is not terminated, so the second
 * part is freed twice.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static void destroy(struct node *list, struct node *stop)
{
    while (list != stop) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

int main(void)
{
    struct node *list = malloc(sizeof *list);
    list->next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    struct node *at = list;
    while (at->next && __VERIFIER_nondet_int())
        at = at->next;
    struct node *second = at->next;
    destroy(list, NULL);
    free(second);
    return 0;
}
