/* Tests that qsort calls its callback with pointers to the elements. */
#include <stdlib.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    check(x > 0 && x <= 9);
    check(y > 0 && y <= 9);
    return (x > y) - (x < y);
}

int main(void)
{
    int v[2] = {9, 3};
    qsort(v, 2, sizeof(int), compare);
    return 0;
}
