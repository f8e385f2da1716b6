/* Nodes from calloc: links that are null were never written. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    char name[12];
    struct node *prev;
    struct node *next;
    int *data;
};

int main(void)
{
    struct node *list = NULL, *n;
    while (__VERIFIER_nondet_int()) {
        n = calloc(1, sizeof *n);
        n->next = list;
        if (list)
            list->prev = n;
        list = n;
    }
    for (n = list; n != NULL; n = n->next)
        if (n->data != NULL)
            *n->data = 1;
    while (list != NULL) {
        n = list;
        list = list->next;
        if (list != NULL && list->prev == n)
            free(n);
        else if (list == NULL)
            free(n);
    }
    return 0;
}
