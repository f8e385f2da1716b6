/* Three singly linked nodes built and freed without a loop. Violation: the second node is skipped
 * and lost.
 */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *a = malloc(sizeof *a);
    a->next = malloc(sizeof *a);
    a->next->next = malloc(sizeof *a);
    a->next->next->next = NULL;
    struct node *rest = a->next;
    free(a);
    rest = rest->next;
    free(rest);
    return 0;
}
