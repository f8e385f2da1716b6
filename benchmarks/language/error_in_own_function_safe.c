/* Tests a task that defines reach_error itself by a failing assert. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

void reach_error()
{
    assert(0);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n >= 10)
        return 0;
    if (n == 10)
        reach_error();
    return 0;
}
