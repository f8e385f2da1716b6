/* The program ends inside of a recursive function.
   A block of the caller is left then. */
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
    struct node *own = malloc(sizeof *own);
    visit(create());
    free(own);
    return 0;
}
