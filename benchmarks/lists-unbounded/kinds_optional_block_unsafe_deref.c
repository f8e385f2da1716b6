/* A flag in each node of a doubly linked list tells whether there is a block of its own below it. Read below the first one whatever its flag says. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    struct node *next, *prev;
    int has;
    int *extra;
};

static struct node *create(struct node *before)
{
    struct node *n = malloc(sizeof *n);
    n->next = NULL;
    n->prev = before;
    n->has = __VERIFIER_nondet_int() != 0;
    n->extra = NULL;
    if (n->has) {
        n->extra = malloc(sizeof *n->extra);
        *n->extra = 3;
    }
    return n;
}

int main(void)
{
    struct node *list = create(NULL), *last = list;
    while (__VERIFIER_nondet_int()) {
        last->next = create(last);
        last = last->next;
    }
    for (struct node *n = last; n; n = n->prev)
        if ((n->has || n == list) && *n->extra != 3)
            reach_error();
    while (list) {
        struct node *n = list;
        list = list->next;
        if (n->has)
            free(n->extra);
        free(n);
    }
    return 0;
}
