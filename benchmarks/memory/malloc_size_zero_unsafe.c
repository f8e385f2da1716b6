/* Tests that a block of size 0 is a block: it can be freed. Violation: it has no byte to read. */
#include <stdlib.h>

int main(void)
{
    char *p = malloc(0);
    char *q = malloc(0);
    int r = 0;
    if (p == q)
        r = 1;
    r = *p;
    free(p);
    free(q);
    return r;
}
