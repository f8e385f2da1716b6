/* A list of any length freed by recursion. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static void destroy(struct node *n)
{
    if (!n)
        return;
    destroy(n->next);
    free(n);
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    destroy(list);
    return 0;
}
