/* Tests the bounds of qsort. Violation: the callback gets an element behind the array. */
#include <stdlib.h>

static int compare(const void *a, const void *b)
{
    return *(const unsigned char *)a - *(const unsigned char *)b;
}

int main(void)
{
    unsigned char v[3] = {3, 1, 2};
    qsort(v, 4, 1, compare);
    return v[0];
}
