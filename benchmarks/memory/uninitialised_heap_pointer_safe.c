/* Tests a pointer member of a fresh block. */
#include <stdlib.h>

struct node {
    int value;
    struct node *next;
};

int main(void)
{
    struct node *n = calloc(1, sizeof(struct node));
    int r = 0;
    if (n->next)
        r = n->next->value;
    free(n);
    return r;
}
