/* A list whose nodes own a second block each. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    char *data;
    int size;
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->size = __VERIFIER_nondet_int() ? 4 : 1;
        n->data = malloc(n->size);
        n->data[n->size - 1] = 0;
        n->next = list;
        list = n;
    }
    while (list) {
        struct node *n = list;
        list = n->next;
        free(n->data);
        free(n);
    }
    return 0;
}
