/* Of two neighbours at most one is red; deleting a black node between two red ones makes the second one black. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int red;
    struct node *next;
};

static struct node *node(int red, struct node *next)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->red = red;
    n->next = next;
    return n;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        int red = __VERIFIER_nondet_int() != 0;
        if (red && list && list->red)
            list = node(0, list);
        list = node(red, list);
    }
    for (struct node *at = list; at; at = at->next) {
        if (at->next && !at->next->red && __VERIFIER_nondet_int()) {
            struct node *gone = at->next;
            at->next = gone->next;
            free(gone);
        }
    }
    while (list) {
        struct node *next = list->next;
        if (next && list->red && next->red)
            reach_error();
        free(list);
        list = next;
    }
    return 0;
}
