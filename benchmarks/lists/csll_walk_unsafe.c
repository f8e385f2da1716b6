/* A circular singly linked list of four nodes. Violation: the walk that frees it comes around to
 * the first node again.
 */
#include <stdlib.h>

struct node {
    struct node *next;
};

int main(void)
{
    struct node *first = malloc(sizeof *first);
    first->next = first;
    for (int i = 1; i < 4; i++) {
        struct node *n = malloc(sizeof *n);
        n->next = first->next;
        first->next = n;
    }
    struct node *n = first->next;
    while (n != first) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
    free(first);
    free(n);
    return 0;
}
