/* Deletion of any nodes while a list is walked. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    struct node **link = &list;
    while (*link) {
        struct node *n = *link;
        if (__VERIFIER_nondet_int()) {
            *link = n->next;
            free(n);
        } else {
            link = &n->next;
        }
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
