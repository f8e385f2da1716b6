/* Deletion of the first and of the last node. Violation: a list of one node is freed and its
 * pointer kept.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

typedef struct node_ {
    struct node_ *next;
    int data;
} node_t;

static node_t *pop_front(node_t *list)
{
    node_t *rest = list->next;
    free(list);
    return rest;
}

static node_t *pop_back(node_t *list)
{
    node_t *before = list;
    if (list->next == NULL) {
        free(list);
        return list;
    }
    while (before->next->next != NULL)
        before = before->next;
    free(before->next);
    before->next = NULL;
    return list;
}

int main(void)
{
    node_t *list = NULL;
    while (__VERIFIER_nondet_int()) {
        node_t *n = (node_t *)malloc(sizeof(node_t));
        n->data = 0;
        n->next = list;
        list = n;
    }
    while (list != NULL) {
        if (__VERIFIER_nondet_int())
            list = pop_front(list);
        else
            list = pop_back(list);
    }
    return 0;
}
