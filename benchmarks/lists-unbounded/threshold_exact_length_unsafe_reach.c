/* A doubly linked list of six nodes is counted: its length must not be forgotten. Violation: a
 * seventh node may be added.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct item { int value; struct item *prev, *next; };

int main(void)
{
    struct item *list = NULL, *i;
    int count;
    for (count = 0; count < 6; count++) {
        i = malloc(sizeof *i);
        i->value = 3;
        i->prev = NULL;
        i->next = list;
        if (list)
            list->prev = i;
        list = i;
        if (count == 5 && list->value == __VERIFIER_nondet_int())
            count--;
    }
    count = 0;
    for (i = list; i; i = i->next)
        if (++count > 6)
            reach_error();
    while (list) {
        i = list;
        list = i->next;
        free(i);
    }
    return 0;
}
