/* Tests that a tagged pointer keeps its block tracked. */
#include <stdlib.h>
#include <stdint.h>

int main(void)
{
    long *p = malloc(sizeof(long));
    *p = 5;
    uintptr_t word = (uintptr_t)p | 1;
    p = NULL;
    if (word & 1)
        word -= 1;
    free((void *)word);
    return 0;
}
