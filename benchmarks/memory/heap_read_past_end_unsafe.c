/* Tests a read of the last element of a heap block. Violation: one byte past the end is read. */
#include <stdlib.h>

int main(void)
{
    char *p = malloc(5);
    for (int i = 0; i < 5; i++)
        p[i] = i;
    int r = p[5];
    free(p);
    return r;
}
