/* Sorts numbers with the library and drops those that are equal to their neighbour. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int compare(const void *a, const void *b)
{
    int x = *(const int *)a, y = *(const int *)b;
    return (x > y) - (x < y);
}

static size_t unique(int *numbers, size_t count)
{
    if (count == 0)
        return 0;
    size_t kept = 1;
    for (size_t i = 1; i < count; i++)
        if (numbers[i] != numbers[kept - 1])
            numbers[kept++] = numbers[i];
    return kept;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000)
        return 0;
    int *numbers = malloc(n * sizeof *numbers);
    if (!numbers)
        return 1;
    for (int i = 0; i < n; i++)
        numbers[i] = __VERIFIER_nondet_int();
    qsort(numbers, (size_t)n, sizeof *numbers, compare);
    size_t kept = unique(numbers, (size_t)n);
    numbers[kept] = 0;
    int last = numbers[kept];
    free(numbers);
    return last;
}
