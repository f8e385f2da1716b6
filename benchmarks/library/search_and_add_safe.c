/* Tests lsearch, which adds what it does not find. */
#include <search.h>
#include <stddef.h>

static int same(const void *a, const void *b)
{
    return *(const int *)a != *(const int *)b;
}

int main(void)
{
    int numbers[4] = {3, 1, 4};
    size_t count = 3;
    int key = 1;
    int *found = lsearch(&key, numbers, &count, sizeof key, same);
    key = 5;
    int *added = lsearch(&key, numbers, &count, sizeof key, same);
    return !(found == numbers + 1 && added == numbers + 3 && count == 4 && *added == 5);
}
