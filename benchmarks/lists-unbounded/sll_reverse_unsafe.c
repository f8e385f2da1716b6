/* Reversal in place of a list of any length whose first node is marked: it becomes the last one.
 * Violation: the last node is not taken as the start of the reversed list, and lost.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    int mark;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    int more = 1;
    while (more) {
        more = __VERIFIER_nondet_int();
        struct node *n = malloc(sizeof *n);
        n->mark = !more;
        n->next = list;
        list = n;
    }
    struct node *reversed = NULL;
    while (list) {
        struct node *next = list->next;
        list->next = reversed;
        if (!reversed || next)
            reversed = list;
        list = next;
    }
    while (reversed) {
        struct node *n = reversed;
        reversed = n->next;
        if (n->mark > 1)
            reach_error();
        free(n);
    }
    return 0;
}
