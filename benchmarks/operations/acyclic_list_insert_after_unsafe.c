/* A node enters a doubly linked list behind any node, but behind the last node it leads back. */
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

static void insert_after(struct node *n, struct node *at)
{
    n->succ = at->succ ? at->succ : at;
    n->pred = at;
    if (at->succ)
        at->succ->pred = n;
    at->succ = n;
}

int main(void)
{
    struct node *list = any_list();
    insert_after(alone(), any_node(list));
    check(list);
    return 0;
}
