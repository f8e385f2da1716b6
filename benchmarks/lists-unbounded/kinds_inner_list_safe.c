/* A flag in each node tells whether there may be a list below it. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct inner { struct inner *next; };

struct node {
    int open;
    struct inner *list;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->open = __VERIFIER_nondet_int() ? 1 : 0;
        n->list = NULL;
        if (n->open) {
            while (__VERIFIER_nondet_int()) {
                struct inner *i = malloc(sizeof *i);
                i->next = n->list;
                n->list = i;
            }
        }
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        if (!n->open && n->list)
            reach_error();
        while (n->open && n->list) {
            struct inner *i = n->list;
            n->list = i->next;
            free(i);
        }
        free(n);
    }
    return 0;
}
