/* Tests a function with two exits. Violation: the early exit loses the block. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int work(int n)
{
    char *buffer = malloc(32);
    if (n < 0) {
        return -1;
    }
    buffer[n % 32] = 1;
    free(buffer);
    return 0;
}

int main(void)
{
    work(__VERIFIER_nondet_int());
    return 0;
}
