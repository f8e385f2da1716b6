/* A list kept sorted by insertion: neighbours are in order. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        struct node **link = &list;
        while (*link && (*link)->value < n->value)
            link = &(*link)->next;
        n->next = *link;
        *link = n;
    }
    for (struct node *n = list; n && n->next; n = n->next)
        if (n->value > n->next->value)
            reach_error();
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
