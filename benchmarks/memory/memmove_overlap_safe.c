/* Tests memmove inside one block, source and target overlapping. */
#include <stdlib.h>
#include <string.h>

extern void reach_error(void);

int main(void)
{
    char *p = malloc(6);
    for (int i = 0; i < 6; i++)
        p[i] = i;
    memmove(p + 1, p, 5);
    if (p[5] != 4)
        reach_error();
    free(p);
    return 0;
}
