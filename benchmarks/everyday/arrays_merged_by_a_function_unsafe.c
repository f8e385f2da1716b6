/* Merges two sorted arrays into a third. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int *numbers(size_t n)
{
    int *a = malloc(n * sizeof *a);
    if (!a)
        abort();
    for (size_t i = 0; i < n; i++)
        a[i] = __VERIFIER_nondet_int();
    return a;
}

static void merge(const int *a, size_t m, const int *b, size_t n, int *out)
{
    size_t i = 0, j = 0, k = 0;
    while (i < m && j < n) {
        if (a[i] <= b[j])
            out[k++] = a[i++];
        else
            out[k++] = b[j++];
    }
    while (i < m)
        out[k++] = a[i++];
    while (j < n)
        out[k++] = b[j++];
}

int main(void)
{
    size_t m = (unsigned char)__VERIFIER_nondet_int() + 1u;
    size_t n = (unsigned char)__VERIFIER_nondet_int() + 1u;
    int *a = numbers(m), *b = numbers(n);
    int *out = malloc((m + n - 1) * sizeof *out);
    if (!out)
        abort();
    merge(a, m, b, n, out);
    free(a);
    free(b);
    free(out);
    return 0;
}
