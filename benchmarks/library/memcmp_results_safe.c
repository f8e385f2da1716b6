/* Tests memcmp: sign of the result, bytes taken as unsigned. */
#include <stdlib.h>
#include <string.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char *a = malloc(4), *b = malloc(4);
    memset(a, 1, 4);
    memset(b, 1, 4);
    check(memcmp(a, b, 4) == 0);
    b[2] = (char)0x80;
    check(memcmp(a, b, 4) < 0 && memcmp(b, a, 4) > 0 && memcmp(a, b, 2) == 0);
    free(a);
    free(b);
    return 0;
}
