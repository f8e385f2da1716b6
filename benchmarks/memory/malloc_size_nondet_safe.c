/* Tests a block of nondeterministic size accessed at its last byte. */
#include <stdlib.h>

extern size_t __VERIFIER_nondet_size_t(void);

int main(void)
{
    size_t n = __VERIFIER_nondet_size_t();
    if (n > 1000 || n < 4)
        return 0;
    char *p = malloc(n);
    p[n - 1] = 1;
    p[3] = 2;
    free(p);
    return 0;
}
