/* All nodes of a doubly linked list of any length hold the same value. Violation: the value
 * appended changes once.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

typedef struct item {
    struct item *next, *prev;
    int value;
} *items;

static void add_last(items *list, int value)
{
    items n = malloc(sizeof *n), last = *list;
    n->value = value;
    n->next = NULL;
    n->prev = NULL;
    if (last == NULL) {
        *list = n;
        return;
    }
    while (last->next != NULL)
        last = last->next;
    last->next = n;
    n->prev = last;
}

int main(void)
{
    items list = NULL, i;
    int value = 3, choice;
    while ((choice = __VERIFIER_nondet_int()) != 0) {
        if (choice == 2)
            value = 4;
        add_last(&list, value);
    }
    for (i = list; i != NULL; i = i->next)
        if (i->value != 3)
            reach_error();
    while (list != NULL) {
        i = list->next;
        free(list);
        list = i;
    }
    return 0;
}
