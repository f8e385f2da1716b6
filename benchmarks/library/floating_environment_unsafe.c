/* Tests the floating-point environment where rounding stays to nearest. Violated: there is no such mode, and the call says so. */
#include <fenv.h>

extern void reach_error(void);

int main(void)
{
    if (fesetround(FE_TONEAREST) != 0 || fegetround() != FE_TONEAREST)
        reach_error();
    if (fesetround(12345) != 0)
        reach_error();
    fenv_t kept;
    fegetenv(&kept);
    fesetenv(&kept);
    return 0;
}
