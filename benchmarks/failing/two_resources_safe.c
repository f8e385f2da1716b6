/* Tests two blocks, the first of which is freed where the second cannot be had, where allocations may fail. */
#include <stdlib.h>

int main(void)
{
    char *a = malloc(10);
    if (!a)
        return 1;
    char *b = calloc(4, 5);
    if (!b) {
        free(a);
        return 1;
    }
    a[9] = b[19];
    free(b);
    free(a);
    return 0;
}
