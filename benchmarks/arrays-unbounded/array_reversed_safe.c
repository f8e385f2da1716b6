/* Reverses an array of any length with an index at each end. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int n = positive();
    int *a = malloc(n * sizeof *a);
    for (int i = 0; i < n; i++)
        a[i] = i;
    int left = 0, right = n - 1;
    while (left < right) {
        int t = a[left];
        a[left++] = a[right];
        a[right--] = t;
    }
    free(a);
    return 0;
}
