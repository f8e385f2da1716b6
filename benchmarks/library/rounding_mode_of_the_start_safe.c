/* Tests the rounding mode of a program that does not change it. */
#include <fenv.h>

extern void reach_error(void);

int main(void)
{
    if (fegetround() != FE_TONEAREST)
        reach_error();
    return 0;
}
