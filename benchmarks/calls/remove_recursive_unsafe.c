/* A node removed by recursion.
   The rest of the list is read after the node was freed. */
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

static struct node *without(struct node *n, int data)
{
    if (!n)
        return NULL;
    if (n->data == data) {
        free(n);
        return n->next;
    }
    n->next = without(n->next, data);
    return n;
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
    list = without(list, __VERIFIER_nondet_int());
    destroy(list);
    return 0;
}
