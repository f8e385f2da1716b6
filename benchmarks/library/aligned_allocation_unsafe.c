/* Tests aligned_alloc and posix_memalign: aligned blocks that free takes. Violation: the block has
 * 32 bytes.
 */
#include <stdlib.h>
#include <stdint.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char *p = aligned_alloc(16, 32);
    check(((uintptr_t)p & 15) == 0);
    p[32] = 1;
    void *q = NULL;
    if (posix_memalign(&q, 64, 10) == 0) {
        check(((uintptr_t)q & 63) == 0);
        ((char *)q)[9] = 2;
        free(q);
    }
    free(p);
    return 0;
}
