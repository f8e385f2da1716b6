/* Any node leaves a doubly linked list; it has no cycle. */
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

static void unlink(struct node *n)
{
    if (n->pred)
        n->pred->succ = n->succ;
    if (n->succ)
        n->succ->pred = n->pred;
    n->succ = n->pred = NULL;
}

int main(void)
{
    struct node *list = any_list();
    struct node *n = any_node(list);
    if (n == list)
        list = n->succ;
    unlink(n);
    free(n);
    if (list)
        check(list);
    destroy(list);
    return 0;
}
