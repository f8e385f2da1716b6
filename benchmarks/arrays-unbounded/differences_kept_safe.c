/* Keeps the elements of one array that another one lacks. */
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
    int *a = malloc(m * sizeof *a), *b = malloc(n * sizeof *b), *rest = malloc(m * sizeof *rest);
    for (int i = 0; i < m; i++)
        a[i] = __VERIFIER_nondet_int();
    for (int i = 0; i < n; i++)
        b[i] = __VERIFIER_nondet_int();
    int kept = 0;
    for (int i = 0; i < m; i++) {
        int found = 0;
        for (int j = 0; j < n && !found; j++)
            found = a[i] == b[j];
        if (!found)
            rest[kept++] = a[i];
    }
    free(a);
    free(b);
    free(rest);
    return 0;
}
