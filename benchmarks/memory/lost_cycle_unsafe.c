/* Tests two blocks that point to each other. Violation: no variable points to either of them any
 * more.
 */
#include <stdlib.h>

struct node {
    struct node *other;
};

int main(void)
{
    struct node *a = malloc(sizeof(struct node));
    struct node *b = malloc(sizeof(struct node));
    a->other = b;
    b->other = a;
    a = b = NULL;
    return 0;
}
