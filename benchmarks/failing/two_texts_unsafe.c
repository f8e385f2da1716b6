/* Tests two copies of texts, both freed in any case, where allocations may fail. Violated: the second one is measured though it may be null. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *first = strdup("one"), *second = strndup("second", 3);
    int same = 0;
    if (first)
        same = strcmp(first, second) == 0;
    free(first);
    free(second);
    return same;
}
