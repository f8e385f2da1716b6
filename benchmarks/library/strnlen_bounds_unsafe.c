/* Tests strnlen on a block without terminator. Violation: the limit is larger than the block. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *p = malloc(4);
    memset(p, 'a', 4);
    size_t n = strnlen(p, 5);
    free(p);
    return n == 4;
}
