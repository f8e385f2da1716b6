/* Merge of two lists by value. Violation: the first list is read after it has run out. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static struct node *create(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = list;
        list = n;
    }
    return list;
}

int main(void)
{
    struct node *a = create(), *b = create();
    struct node *merged = NULL, **end = &merged;
    while (a || b) {
        struct node **from = a->value < b->value ? &a : &b;
        *end = *from;
        end = &(*from)->next;
        *from = (*from)->next;
    }
    *end = NULL;
    while (merged) {
        struct node *n = merged;
        merged = n->next;
        free(n);
    }
    return 0;
}
