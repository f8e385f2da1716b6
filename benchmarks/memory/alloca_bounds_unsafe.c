/* Tests the bounds of an alloca block. Violation: a size of 0 leaves no first element. */
#include <alloca.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 20)
        return 0;
    int *v = alloca(n * sizeof(int));
    v[0] = n;
    return v[0];
}
