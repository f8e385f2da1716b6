/* A node enters a doubly linked list before any node, but its neighbour leads back. */
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

/* Nobody meets a node twice on the way to the end. */
static void check(struct node *list)
{
    struct node *met = any_node(list);
    for (struct node *n = met->succ; n && __VERIFIER_nondet_int(); n = n->succ)
        if (n == met)
            reach_error();
}

static void insert_before(struct node *n, struct node *at)
{
    n->succ = at;
    n->pred = at->pred;
    if (at->pred)
        at->pred->succ = n, at->succ = at->pred;
    at->pred = n;
}

int main(void)
{
    struct node *list = any_list();
    struct node *at = any_node(list), *n = alone();
    insert_before(n, at);
    if (at == list)
        list = n;
    check(list);
    return 0;
}
