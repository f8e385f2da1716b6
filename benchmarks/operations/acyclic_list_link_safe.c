/* Two doubly linked lists become one; it has no cycle. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    struct node *succ, *pred;
};

static struct node *alone(void)
{
    struct node *n = malloc(sizeof *n);
    n->succ = n->pred = NULL;
    return n;
}

/* A list of one node or more. */
static struct node *any_list(void)
{
    struct node *list = alone();
    while (__VERIFIER_nondet_int()) {
        struct node *n = alone();
        n->succ = list;
        list->pred = n;
        list = n;
    }
    return list;
}

static struct node *any_node(struct node *list)
{
    while (list->succ && __VERIFIER_nondet_int())
        list = list->succ;
    return list;
}

static void destroy(struct node *list)
{
    while (list) {
        struct node *succ = list->succ;
        free(list);
        list = succ;
    }
}

/* Nobody meets a node twice on the way to the end. */
static void check(struct node *list)
{
    struct node *met = any_node(list);
    for (struct node *n = met->succ; n && __VERIFIER_nondet_int(); n = n->succ)
        if (n == met)
            reach_error();
}

static void link(struct node *first, struct node *second)
{
    first->succ = second;
    second->pred = first;
}

int main(void)
{
    struct node *list = any_list(), *other = any_list();
    struct node *last = list;
    while (last->succ)
        last = last->succ;
    link(last, other);
    check(list);
    destroy(list);
    return 0;
}
