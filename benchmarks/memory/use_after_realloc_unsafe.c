/* Tests that realloc ends the old block. Violation: a pointer into the old block is written. */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(2 * sizeof(int));
    int *second = &p[1];
    *second = 2;
    p = realloc(p, 4 * sizeof(int));
    *second = 3;
    free(p);
    return 0;
}
