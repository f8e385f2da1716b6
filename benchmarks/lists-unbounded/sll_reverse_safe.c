/* Reversal in place of a list of any length whose first node is marked: it becomes the last one. */
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
        reversed = list;
        list = next;
    }
    while (reversed) {
        struct node *n = reversed;
        reversed = n->next;
        if (n->mark != (reversed == NULL))
            reach_error();
        free(n);
    }
    return 0;
}
