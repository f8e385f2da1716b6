/* The length of a list of any length, by recursion.
   The end of the list is noticed one node too late. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int data;
};

static struct node *create(void)
{
    if (!__VERIFIER_nondet_int())
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->data = 1;
    n->next = create();
    return n;
}

static unsigned length(const struct node *n)
{
    if (!n->next)
        return 0;
    return 1 + length(n->next);
}

static void destroy(struct node *n)
{
    if (!n)
        return;
    struct node *next = n->next;
    free(n);
    destroy(next);
}

int main(void)
{
    struct node *list = create();
    unsigned count = length(list);
    destroy(list);
    if (count > 1000)
        return 1;
    return 0;
}
