/* Tests how often a comparison function is called: C leaves it open. Violation: the count an insertion sort has. */
#include <stdlib.h>

extern void reach_error(void);

static int calls;

static int ascending(const void *left, const void *right)
{
    calls++;
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

int main(void)
{
    int numbers[4] = {1, 2, 3, 4};
    qsort(numbers, 4, sizeof numbers[0], ascending);
    if (calls == 3)
        return 0;
    reach_error();
    return 1;
}
