/* The link of the last node. Violation: it is never set, and the traversal follows it. */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *list = malloc(sizeof *list);
    list->value = 0;
    struct node *n = malloc(sizeof *n);
    n->value = 1;
    n->next = list;
    list = n;
    int sum = 0;
    for (n = list; n; n = n->next)
        sum += n->value;
    free(list->next);
    free(list);
    return sum;
}
