/* A list of any length reversed by recursion with an accumulator. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
    int data;
};

static struct node *create(void)
{
    if (!__VERIFIER_nondet_int())
        return NULL;
    struct node *n = malloc(sizeof *n);
    n->data = 1;
    n->next = create();
    return n;
}

static struct node *reverse(struct node *n, struct node *done)
{
    if (!n)
        return done;
    struct node *next = n->next;
    n->next = done;
    return reverse(next, n);
}

static void destroy(struct node *n)
{
    if (!n)
        return;
    struct node *next = n->next;
    free(n);
    destroy(next);
}

int main(void)
{
    struct node *list = reverse(create(), NULL);
    destroy(list);
    return 0;
}
