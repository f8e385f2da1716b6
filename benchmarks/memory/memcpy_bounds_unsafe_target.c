/* Tests the bounds of both arguments of memcpy. Violation: the target is one byte short. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *from = malloc(8);
    char *to = malloc(7);
    for (int i = 0; i < 7; i++)
        from[i] = 'a' + i;
    memcpy(to, from, 8);
    free(from);
    free(to);
    return 0;
}
