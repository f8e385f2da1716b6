/* Two lists of any length joined into one. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

static struct node *create(void)
{
    struct node *list = malloc(sizeof *list);
    list->next = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    return list;
}

int main(void)
{
    struct node *a = create(), *b = create();
    struct node *last = a;
    while (last->next)
        last = last->next;
    last->next = b;
    while (a) {
        struct node *next = a->next;
        free(a);
        a = next;
    }
    return 0;
}
