/* As many nodes are freed as the counter on the heap says there are: here one more is freed. */
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

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 10000)
        return 0;
    int *length = malloc(sizeof *length);
    if (!length)
        abort();
    *length = 0;
    struct node *list = NULL;
    while (*length < n) {
        list = node(list);
        ++*length;
    }
    struct node *curr = list;
    for (int j = 0; j < n + 1; j++) {
        struct node *next = curr->next;
        free(curr);
        curr = next;
    }
    free(length);
    return 0;
}
