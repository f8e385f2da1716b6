/* Each block is freed while its node still points to it, and some are freed once more. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

struct node {
    struct node *next;
    int *data;
};

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->data = malloc(sizeof *n->data);
        n->next = list;
        list = n;
    }
    for (struct node *n = list; n; n = n->next)
        free(n->data);
    for (struct node *n = list; n; n = n->next)
        if (!n->data)
            reach_error();
        else if (n->next && !n->next->next)
            free(n->data);
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n);
    }
    return 0;
}
