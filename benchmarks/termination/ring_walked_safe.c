// A ring is walked once: the nodes before its first one become fewer. In the twin the node that ends the walk is not in it.
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

struct node {
    struct node *next;
    int value;
};

int main(void)
{
    struct node *start = malloc(sizeof *start);
    start->next = start;
    start->value = 0;
    for (unsigned count = __VERIFIER_nondet_uint(); count > 0; count--) {
        struct node *node = malloc(sizeof *node);
        node->value = 1;
        node->next = start->next;
        start->next = node;
    }
    struct node *node = start;
    do {
        node->value ^= 1;
        node = node->next;
    } while (node != start);
    return 0;
}
