/* The sum of the numbers below eleven is larger than the assertion has it. */
#include <assert.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int limit = __VERIFIER_nondet_int(), sum = 0;
    if (limit < 0 || limit > 11)
        return 0;
    for (int i = 0; i < limit; i++)
        sum += i;
    assert(sum <= 45);
    return 0;
}
