/* Tests a block that a global points to when main returns. Violation: memory cleanup; the block is
 * still tracked.
 */
#include <stdlib.h>

static int *cache;

static void fill(void)
{
    if (!cache)
        cache = malloc(10 * sizeof(int));
    cache[9] = 1;
}

int main(void)
{
    fill();
    fill();
    return 0;
}
