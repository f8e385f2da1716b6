/* An array of any length is copied as a block, then one element too many is moved. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 100000)
        return 0;
    char *from = calloc(n, sizeof *from);
    char *to = malloc(n * sizeof *to);
    memcpy(to, from, n * sizeof *to);
    int k = __VERIFIER_nondet_int();
    if (k >= 0 && k < n)
        memmove(to, to + k, (n - k + 1) * sizeof *to);
    for (int i = 0; i < n; i++)
        to[i]++;
    free(to);
    free(from);
    return 0;
}
