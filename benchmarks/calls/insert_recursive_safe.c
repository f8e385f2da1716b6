/* A node inserted in order, by recursion. */
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

static struct node *insert(struct node *n, int data)
{
    if (!n || n->data >= data) {
        struct node *m = malloc(sizeof *m);
        m->data = data;
        m->next = n;
        return m;
    }
    n->next = insert(n->next, data);
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
    list = insert(list, __VERIFIER_nondet_int());
    list = insert(list, __VERIFIER_nondet_int());
    destroy(list);
    return 0;
}
