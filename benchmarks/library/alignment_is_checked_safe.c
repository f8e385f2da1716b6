/* Tests alignments that are powers of two. */
#include <stdlib.h>

int main(void)
{
    void *block = 0;
    if (posix_memalign(&block, 16, 8))
        return 1;
    *(char *)block = 1;
    free(block);
    return 0;
}
