/* Tests that realloc takes null or a live block. */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof(int));
    free(p);
    p = NULL;
    p = realloc(p, 2 * sizeof(int));
    p[1] = 1;
    free(p);
    return 0;
}
