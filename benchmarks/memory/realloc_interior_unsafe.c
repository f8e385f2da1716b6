/* Tests that realloc takes the start of a block. Violation: it gets a pointer inside. */
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    char *q = p + 1;
    *q = 'x';
    p = realloc(q, 8);
    p[7] = 0;
    free(p);
    return 0;
}
