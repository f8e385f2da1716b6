/* A list that was reversed has as many nodes as before. */
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
    struct node *list = list_of(n), *reversed = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        reversed = list;
        list = next;
    }
    for (int i = 0; i < n; i++) {
        struct node *next = reversed->next;
        free(reversed);
        reversed = next;
    }
    return 0;
}
