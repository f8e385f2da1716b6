/* The program ends inside of a recursive function. */
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

static void visit(struct node *n)
{
    if (!n)
        exit(0);
    struct node *next = n->next;
    free(n);
    visit(next);
}

int main(void)
{
    visit(create());
    return 0;
}
