/* Tests a changed rounding mode: a third is rounded upwards. Violated: the freed pointer was moved. */
#include <fenv.h>
#include <stdlib.h>

int main(void)
{
    volatile double one = 1, three = 3;
    double nearest = one / three;
    fesetround(FE_UPWARD);
    double above = one / three;
    fesetround(FE_TONEAREST);
    char *p = malloc(2);
    free(above > nearest ? p + 1 : p);
    return 0;
}
