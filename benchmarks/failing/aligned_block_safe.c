/* Tests an aligned block, where allocations may fail. */
#include <stdlib.h>

int main(void)
{
    char *p = aligned_alloc(64, 128);
    if (p)
        p[127] = 1;
    free(p);
    return 0;
}
