/* Copies two arrays behind each other into one that has room for both. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int m = positive(), n = positive();
    int *first = malloc(m * sizeof *first), *second = malloc(n * sizeof *second);
    int *both = malloc((m + n) * sizeof *both);
    for (int i = 0; i < m; i++)
        first[i] = i;
    for (int i = 0; i < n; i++)
        second[i] = -i;
    for (int i = 0; i < m; i++)
        both[i] = first[i];
    for (int i = 0; i < n; i++)
        both[m + i] = second[i];
    free(first);
    free(second);
    free(both);
    return 0;
}
