/* Tests the bounds of both arguments of memcpy. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *from = malloc(8);
    char *to = malloc(8);
    for (int i = 0; i < 7; i++)
        from[i] = 'a' + i;
    memcpy(to, from, 8);
    free(from);
    free(to);
    return 0;
}
