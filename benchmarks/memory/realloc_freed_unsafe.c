/* Tests that realloc takes null or a live block. Violation: the block was freed before. */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof(int));
    free(p);
    p = realloc(p, 2 * sizeof(int));
    p[1] = 1;
    free(p);
    return 0;
}
