/* Two lists grow by one node at a time and shrink in the same way. */
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
    struct node *one = NULL, *other = NULL;
    while (__VERIFIER_nondet_int()) {
        one = node(one);
        other = node(other);
    }
    while (one) {
        struct node *next = one->next;
        free(one);
        one = next;
        next = other->next;
        free(other);
        other = next;
    }
    return 0;
}
