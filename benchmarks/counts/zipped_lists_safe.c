/* Two lists of n nodes each are walked at once. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int data;
};

static struct node *node(struct node *next)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->next = next;
    n->data = 0;
    return n;
}

static void destroy(struct node *list)
{
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
}

static struct node *list_of(int n)
{
    struct node *list = NULL;
    for (int i = 0; i < n; i++)
        list = node(list);
    return list;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 10000)
        return 0;
    struct node *one = list_of(n), *other = list_of(n);
    struct node *q = other;
    for (struct node *p = one; p; p = p->next) {
        q->data = p->data;
        q = q->next;
    }
    destroy(one);
    destroy(other);
    return 0;
}
