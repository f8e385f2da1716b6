/* A list of any length copied by recursion.
   The last node of the copy is the original's. */
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

static struct node *copy(const struct node *n)
{
    if (!n || !n->next)
        return (struct node *)n;
    struct node *m = malloc(sizeof *m);
    m->data = n->data;
    m->next = copy(n->next);
    return m;
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
    struct node *other = copy(list);
    destroy(list);
    destroy(other);
    return 0;
}
