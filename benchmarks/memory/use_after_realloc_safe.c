/* Tests that realloc ends the old block. */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(2 * sizeof(int));
    int *second = &p[1];
    *second = 2;
    p = realloc(p, 4 * sizeof(int));
    second = &p[1];
    *second = 3;
    free(p);
    return 0;
}
