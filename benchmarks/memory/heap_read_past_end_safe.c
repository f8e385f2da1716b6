/* Tests a read of the last element of a heap block. */
#include <stdlib.h>

int main(void)
{
    char *p = malloc(5);
    for (int i = 0; i < 5; i++)
        p[i] = i;
    int r = p[4];
    free(p);
    return r;
}
