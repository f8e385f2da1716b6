/* Tests a loop that fills a heap block of nondeterministic size. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 6)
        return 0;
    int *v = malloc(n * sizeof(int));
    for (int i = 0; i < n; i++)
        v[i] = i;
    free(v);
    return 0;
}
