// A list that grows up to a number, and is walked back.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    struct node *next, *previous;
};

int main(void)
{
    struct node first = {NULL, NULL}, *last = &first;
    unsigned end = __VERIFIER_nondet_uint();
    for (unsigned count = 0; count != end; count++) {
        struct node *node = malloc(sizeof *node);
        node->next = NULL;
        node->previous = last;
        last->next = node;
        last = node;
    }
    while (last != &first) {
        last = last->previous;
        free(last->next);
        last->next = NULL;
    }
    return 0;
}
