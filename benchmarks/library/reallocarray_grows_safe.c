/* Tests reallocarray: the size is a product. */
#include <stdlib.h>

extern void *reallocarray(void *ptr, size_t count, size_t size);

int main(void)
{
    long *v = reallocarray(NULL, 2, sizeof(long));
    v[1] = 1;
    v = reallocarray(v, 5, sizeof(long));
    v[4] = v[1];
    free(v);
    return 0;
}
