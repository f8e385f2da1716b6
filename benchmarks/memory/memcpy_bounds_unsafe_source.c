/* Tests the bounds of both arguments of memcpy. Violation: the source is one byte short. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *from = malloc(7);
    char *to = malloc(8);
    for (int i = 0; i < 7; i++)
        from[i] = 'a' + i;
    memcpy(to, from, 8);
    free(from);
    free(to);
    return 0;
}
