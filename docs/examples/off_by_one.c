#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    if (n == 0 || n > 5)
        return 0;
    int *squares = malloc(n * sizeof *squares);
    for (unsigned i = 0; i <= n; i++)
        squares[i] = (int)(i * i);
    int last = squares[n - 1];
    free(squares);
    return last;
}
