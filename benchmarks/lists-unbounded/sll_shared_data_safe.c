/* A list of any length whose nodes all point to one shared block. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    int *shared;
    struct node *next;
};

int main(void)
{
    int *shared = malloc(sizeof(int));
    *shared = 0;
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->shared = shared;
        n->next = list;
        list = n;
    }
    int users = 0;
    while (list) {
        struct node *n = list;
        *n->shared = users;
        list = n->next;
        free(n);
    }
    free(shared);
    return 0;
}
