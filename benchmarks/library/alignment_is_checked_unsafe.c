/* Tests alignments that are powers of two. Violated: 24 is none, and no block is made. */
#include <stdlib.h>

int main(void)
{
    void *block = 0;
    if (posix_memalign(&block, 24, 8) == 12)
        return 1;
    *(char *)block = 1;
    free(block);
    return 0;
}
