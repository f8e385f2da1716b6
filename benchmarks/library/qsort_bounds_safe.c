/* Tests the bounds of qsort. */
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

int main(void)
{
    unsigned char v[3] = {3, 1, 2};
    qsort(v, 3, 1, compare);
    return v[0];
}
