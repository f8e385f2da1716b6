/* Tests strnlen on a block without terminator. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(4);
    memset(p, 'a', 4);
    size_t n = strnlen(p, 4);
    free(p);
    return n == 4;
}
