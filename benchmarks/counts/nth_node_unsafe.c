/* A walk of k steps along a list of more than k nodes arrives at one: here the list may have k
   nodes. */
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
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n > 10000)
        return 0;
    struct node *list = list_of(n);
    if (k >= 0 && k <= n) {
        struct node *p = list;
        for (int i = 0; i < k; i++)
            p = p->next;
        p->data = 1;
    }
    destroy(list);
    return 0;
}
