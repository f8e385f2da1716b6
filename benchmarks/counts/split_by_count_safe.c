/* k of n nodes go to another list, the others are freed one by one. */
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
    if (k < 0 || n < k || n > 10000)
        return 0;
    struct node *list = list_of(n), *taken = NULL;
    for (int i = 0; i < k; i++) {
        struct node *first = list;
        list = first->next;
        first->next = taken;
        taken = first;
    }
    for (int i = 0; i < n - k; i++) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    destroy(taken);
    return 0;
}
