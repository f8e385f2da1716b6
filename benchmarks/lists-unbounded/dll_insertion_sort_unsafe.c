/* Insertion sort of a doubly linked list, by moving its nodes to a second list. Violation: the
 * back link of a node put behind the last one is set through null.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
    int key;
};

static struct node *sorted_insert(struct node *sorted, struct node *n)
{
    struct node *before = NULL, *after = sorted;
    while (after != NULL && after->key < n->key) {
        before = after;
        after = after->next;
    }
    n->next = after;
    n->prev = before;
        after->prev = n;
    if (before == NULL)
        return n;
    before->next = n;
    return sorted;
}

int main(void)
{
    struct node *list = NULL, *sorted = NULL, *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_int();
        n->prev = NULL;
        n->next = list;
        if (list)
            list->prev = n;
        list = n;
    }
    while (list) {
        struct node *n = list;
        list = list->next;
        sorted = sorted_insert(sorted, n);
    }
    for (struct node *n = sorted; n; n = n->next)
        last = n;
    while (last) {
        struct node *prev = last->prev;
        free(last);
        last = prev;
    }
    return 0;
}
