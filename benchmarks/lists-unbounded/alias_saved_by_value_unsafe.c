/* A node copied by value keeps the links it had when it was copied. Violation: the copy's link
 * is followed after its target was freed.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int value; };

int main(void)
{
    struct node *list = NULL, copy = {NULL, 0};
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = 1;
        n->next = list;
        list = n;
    }
    if (list && list->next) {
        struct node *second = list->next;
        copy = *list;
        list->next = second->next;
        free(second);
    }
    if (copy.next)
        copy.next->value = 2;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    return 0;
}
