/* Tests a pointer member of a fresh block. Violation: it is followed without having been set. */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *n = malloc(sizeof(struct node));
    int r = 0;
    if (n->next)
        r = n->next->value;
    free(n);
    return r;
}
