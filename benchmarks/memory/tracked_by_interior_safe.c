/* Tests that a pointer inside a block keeps it tracked. */
#include <stdlib.h>

struct record {
    int a;
    int b[3];
};

int main(void)
{
    struct record *r = malloc(sizeof(struct record));
    int *inside = &r->b[2];
    r = NULL;
    *inside = 4;
    free((char *)inside - 3 * sizeof(int));
    return 0;
}
