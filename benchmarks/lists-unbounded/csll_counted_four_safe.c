/* A circular list of exactly four nodes: three steps from the first lead to the last. */
#include <stdlib.h>

extern void reach_error(void);

struct node { struct node *next; };

int main(void)
{
    struct node *first = malloc(sizeof *first), *n;
    int i;
    first->next = first;
    for (i = 1; i < 4; i++) {
        n = malloc(sizeof *n);
        n->next = first->next;
        first->next = n;
    }
    n = first;
    for (i = 0; i < 3; i++)
        n = n->next;
    if (n == first || n->next != first)
        reach_error();
    i = 0;
    do {
        n = n->next;
        i++;
    } while (n != first);
    if (i != 1)
        reach_error();
    while (first->next != first) {
        n = first->next;
        first->next = n->next;
        free(n);
    }
    free(first);
    return 0;
}
