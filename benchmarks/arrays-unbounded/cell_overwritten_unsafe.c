/* A cell of a block of any length is written, then any part of the block is filled. Violation: the cell lies in that part. */
#include <stdlib.h>
#include <string.h>

extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned length = __VERIFIER_nondet_uint(), cell = __VERIFIER_nondet_uint(), bytes = __VERIFIER_nondet_uint();
    if (length == 0 || length > 1000 || cell >= length || bytes > length)
        return 0;
    unsigned char *block = malloc(length);
    block[cell] = 7;
    memset(block, 0, bytes);
    if (block[cell] != 7)
        reach_error();
    free(block);
    return 0;
}
