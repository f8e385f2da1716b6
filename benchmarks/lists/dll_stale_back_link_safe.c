/* A doubly linked list walked forwards and then backwards. */
#include <stdlib.h>

struct node {
    int value;
    struct node *prev, *next;
};

static struct node *make(struct node *prev, int value)
{
    struct node *n = malloc(sizeof *n);
    n->value = value;
    n->prev = prev;
    n->next = NULL;
    if (prev)
        prev->next = n;
    return n;
}

int main(void)
{
    struct node *a = make(NULL, 1), *b = make(a, 2), *c = make(b, 3);
    a->next = c;
    c->prev = a;
    free(b);
    int sum = 0;
    for (struct node *n = c; n; n = n->prev)
        sum += n->value;
    free(a);
    free(c);
    return sum;
}
