/* Tests that a remainder is less than what is divided by. Violated: it may be two and more. */
#include <math.h>
extern void reach_error(void);
extern double __VERIFIER_nondet_double(void);
int main(void)
{
    double x = __VERIFIER_nondet_double();
    if (!(x >= -1000 && x <= 1000))
        return 0;
    if (fabs(fmod(x, 3.0)) >= 2.0)
        reach_error();
    return 0;
}
