/* Sorts an array of any length by looking for the least of what is left. */
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
    for (int i = 0; i < n; i++) {
        int least = i;
        for (int j = i + 1; j < n; j++) {
            if (a[j] < a[least])
                least = j;
        }
        int t = a[i];
        a[i] = a[least];
        a[least] = t;
    }
    free(a);
    return 0;
}
