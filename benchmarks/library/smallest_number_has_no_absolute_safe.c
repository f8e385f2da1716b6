/* Tests the absolute value of a number. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = __VERIFIER_nondet_int();
    if (x < -1000)
        return 0;
    return abs(x) > 3;
}
