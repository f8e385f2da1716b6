/* A copy is as long as the original, so that both are walked at once and only one end is looked
   for: here the copy lacks a node. */
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

int main(void)
{
    struct node *original = NULL, *copy = NULL;
    while (__VERIFIER_nondet_int())
        original = node(original);
    for (struct node *p = original ? original->next : NULL; p; p = p->next)
        copy = node(copy);
    struct node *q = copy;
    for (struct node *p = original; p; p = p->next) {
        q->data = p->data;
        q = q->next;
    }
    destroy(original);
    destroy(copy);
    return 0;
}
