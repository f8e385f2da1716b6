/* Tests that realloc takes the start of a block. */
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    char *q = p + 1;
    *q = 'x';
    p = realloc(p, 8);
    p[7] = 0;
    free(p);
    return 0;
}
