/* Tests that a tagged pointer keeps its block tracked. Violation: only the tag is kept. */
#include <stdlib.h>
#include <stdint.h>

int main(void)
{
    long *p = malloc(sizeof(long));
    *p = 5;
    uintptr_t word = (uintptr_t)p | 1;
    p = NULL;
    if (word & 1)
        word &= 7;
    return 0;
}
