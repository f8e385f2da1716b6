/* Freeing a list from its start. Violation: the link is read out of the node just freed. */
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *list = NULL;
    for (int i = 0; i < 3; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        list = n;
    }
    for (; list; list = list->next)
        free(list);
    return 0;
}
