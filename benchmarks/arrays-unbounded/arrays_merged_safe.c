/* Merges two arrays into one with an index for each. */
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
    int *a = malloc(m * sizeof *a), *b = malloc(n * sizeof *b);
    int *merged = malloc((m + n) * sizeof *merged);
    for (int i = 0; i < m; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        b[i] = __VERIFIER_nondet_int();
    int i = 0, j = 0, k = 0;
    while (i < m && j < n)
        merged[k++] = a[i] <= b[j] ? a[i++] : b[j++];
    while (i < m)
        merged[k++] = a[i++];
    while (j < n)
        merged[k++] = b[j++];
    free(a);
    free(b);
    free(merged);
    return 0;
}
