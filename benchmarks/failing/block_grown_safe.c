/* Tests a block that grows: the old one stays where that fails, where allocations may fail. */
#include <stdlib.h>

int main(void)
{
    char *p = malloc(4);
    if (!p)
        return 1;
    p[0] = 1;
    char *q = realloc(p, 8);
    if (!q) {
        free(p);
        return 1;
    }
    q[7] = q[0];
    free(q);
    return 0;
}
