/* The head of a list says how many nodes it has, and they are removed by that. */
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

struct list {
    struct node *first;
    int length;
};

int main(void)
{
    struct list *l = malloc(sizeof *l);
    if (!l)
        abort();
    l->first = NULL;
    l->length = 0;
    while (l->length < 1000 && __VERIFIER_nondet_int()) {
        l->first = node(l->first);
        l->length++;
    }
    while (l->length > 0) {
        struct node *removed = l->first;
        l->first = removed->next;
        free(removed);
        l->length--;
    }
    free(l);
    return 0;
}
