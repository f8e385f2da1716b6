/* Nodes that hold 0 come before nodes that hold 1; one more is put in between. Put behind the first one. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

static void is_sorted(struct node *list)
{
    int met = 0;
    for (struct node *n = list; n; n = n->next) {
        if (n->value)
            met = 1;
        if (met && !n->value)
            reach_error();
    }
}

int main(void)
{
    struct node *list = malloc(sizeof *list), *last = list;
    int value = 0;
    list->value = 0;
    list->next = NULL;
    while (__VERIFIER_nondet_int()) {
        last->next = malloc(sizeof *last);
        last = last->next;
        if (__VERIFIER_nondet_int())
            value = 1;
        last->value = value;
        last->next = NULL;
    }
    is_sorted(list);
    struct node *at = list;
    while (at->next && !at->next->value)
        at = at->next;
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    at = list;
    n->next = at->next;
    at->next = n;
    is_sorted(list);
    while (list) {
        n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
