/* Tests two copies of texts, both freed in any case, where allocations may fail. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *first = strdup("one"), *second = strndup("second", 3);
    int same = 0;
    if (first && second)
        same = strcmp(first, second) == 0;
    free(first);
    free(second);
    return same;
}
