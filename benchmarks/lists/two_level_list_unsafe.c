/* A list with a second level of links over every other node. Violation: the upper level is walked
 * after a node on it was freed.
 */
#include <stdlib.h>

struct node {
    struct node *next, *skip;
};

int main(void)
{
    struct node *list = NULL, *upper = NULL;
    for (int i = 0; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = list;
        n->skip = upper;
        list = n;
        if (i % 2)
            upper = n;
    }
    int n = 0;
    while (list) {
        struct node *next = list->next;
        free(list);
        list = next;
    }
    for (struct node *s = upper; s; s = s->skip)
        n++;
    return n;
}
