/* Tests two blocks that point to each other. */
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
    b = NULL;
    free(a->other);
    free(a);
    return 0;
}
