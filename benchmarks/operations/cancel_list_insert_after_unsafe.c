/* A node enters a doubly linked list behind any node, but the next node leads back over it. */
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

/* The neighbours of each node lead back to it. */
static void check(struct node *list)
{
    for (struct node *n = list; n; n = n->succ) {
        if (n->succ && n->succ->pred != n)
            reach_error();
        if (n->pred && n->pred->succ != n)
            reach_error();
    }
}

static void insert_after(struct node *n, struct node *at)
{
    n->succ = at->succ;
    n->pred = at;
    if (at->succ)
        at->succ->pred = at;
    at->succ = n;
}

int main(void)
{
    struct node *list = any_list();
    insert_after(alone(), any_node(list));
    check(list);
    destroy(list);
    return 0;
}
