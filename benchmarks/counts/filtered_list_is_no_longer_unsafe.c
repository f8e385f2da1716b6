/* What is left of a list has at most as many nodes as the list: both are walked at once as far as
   the former goes: here a node may be taken twice. */
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
    struct node *list = list_of(n), *filtered = NULL;
    for (struct node *p = list; p; p = p->next)
        if (__VERIFIER_nondet_int())
            filtered = node(filtered ? filtered : node(NULL));
    struct node *p = list;
    for (struct node *q = filtered; q; q = q->next) {
        q->data = p->data;
        p = p->next;
    }
    destroy(list);
    destroy(filtered);
    return 0;
}
