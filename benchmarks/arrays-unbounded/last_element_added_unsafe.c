/* Adds the last element to all elements before the first that equals it. No element has this value: the search leaves the block. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int count = positive();
    int *values = malloc(count * sizeof *values);
    for (int i = 0; i < count; i++)
        values[i] = i % 7;
    int *p = values;
    while (*p != 7)
        p++;
    free(values);
    return 0;
}
