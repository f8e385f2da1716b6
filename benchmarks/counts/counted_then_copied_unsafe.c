/* An array has as many elements as nodes were counted, and takes the data of each: here it has one
   element fewer. */
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
    struct node *list = NULL;
    int n = 0;
    while (n < 100000 && __VERIFIER_nondet_int()) {
        list = node(list);
        n++;
    }
    int count = 0;
    for (struct node *p = list; p; p = p->next)
        count++;
    int *copy = malloc(sizeof *copy * (size_t)(count + 1));
    if (!copy)
        abort();
    int i = 0;
    for (struct node *p = list; p; p = p->next)
        copy[i++] = p->data;
    copy[i + 1] = 0;
    free(copy);
    destroy(list);
    return 0;
}
