/* Tests blocks tracked through other tracked blocks, from a static variable. Violation: the middle
 * block is unlinked and lost.
 */
#include <stdlib.h>

struct node {
    struct node *next;
};

static struct node *push(struct node *next)
{
    struct node *n = malloc(sizeof(struct node));
    n->next = next;
    return n;
}

int main(void)
{
    static struct node *head;
    head = push(push(push(NULL)));
    struct node *middle = head->next;
    head->next = middle->next;
    return 0;
}
