/* Reversal of a doubly linked list by swapping the links of each node. */
#include <stdlib.h>

extern void reach_error(void);

struct node {
    int value;
    struct node *prev, *next;
};

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->value = i;
        n->prev = NULL;
        n->next = list;
        if (list)
            list->prev = n;
        list = n;
    }
    struct node *at = list;
    while (at) {
        struct node *next = at->next;
        at->next = at->prev;
        at->prev = next;
        list = at;
        at = next;
    }
    if (list->value != 0 || list->next->value != 1 || list->next->prev != list)
        reach_error();
    at = list->next->next;
    free(list->next);
    free(list);
    free(at);
    return 0;
}
