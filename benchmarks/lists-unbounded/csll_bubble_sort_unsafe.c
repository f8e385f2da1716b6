/* Bubble sort of the values of a circular list. Violation: the end of the unsorted part is
 * looked for with null.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int value;
    struct node *next;
};

static void sort(struct node *first)
{
    int changed;
    do {
        changed = 0;
        for (struct node *p = first; p->next != NULL; p = p->next) {
            if (p->value > p->next->value) {
                const int tmp = p->value;
                p->value = p->next->value;
                p->next->value = tmp;
                changed = 1;
            }
            if (p->next == first)
                free(first);
        }
    } while (changed);
}

int main(void)
{
    struct node *first = malloc(sizeof *first);
    first->value = __VERIFIER_nondet_int();
    first->next = first;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = __VERIFIER_nondet_int();
        n->next = first->next;
        first->next = n;
    }
    sort(first);
    while (first->next != first) {
        struct node *second = first->next;
        first->next = second->next;
        free(second);
    }
    free(first);
    return 0;
}
