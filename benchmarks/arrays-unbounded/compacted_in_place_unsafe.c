/* Moves the elements that pass a test to the front of their array and clears the rest. The rest is one element longer. */
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
        a[i] = __VERIFIER_nondet_int();
    int write = 0;
    for (int read = 0; read < n; read++) {
        if (a[read] > 0)
            a[write++] = a[read];
    }
    while (write <= n)
        a[write++] = 0;
    free(a);
    return 0;
}
