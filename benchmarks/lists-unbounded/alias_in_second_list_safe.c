/* A second list holds pointers to the nodes of the first one, whose first node is deleted. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { int value; struct node *next; };
struct watch { struct node *what; struct watch *next; };

int main(void)
{
    struct node *list = NULL;
    struct watch *watches = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->value = 0;
        n->next = list;
        list = n;
        if (__VERIFIER_nondet_int()) {
            struct watch *w = malloc(sizeof *w);
            w->what = n;
            w->next = watches;
            watches = w;
        }
    }
    if (list) {
        struct node *first = list;
        list = list->next;
        if (watches && watches->what == first)
            watches->what = NULL;
        free(first);
    }
    while (watches) {
        struct watch *w = watches;
        watches = w->next;
        if (w->what)
            w->what->value = 1;
        free(w);
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
