/* Tests that a failing assert ends the program. Violation: the assert lets 0 pass. */
#include <assert.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    assert(n >= 0);
    int v[1] = {0};
    if (n == 0)
        reach_error();
    return v[0];
}
