/* Tests _Bool: every nonzero scalar converts to 1. Violation: 256 converts to true, unlike in an
 * unsigned char.
 */
#include <stdbool.h>

extern int __VERIFIER_nondet_int(void);
extern double __VERIFIER_nondet_double(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    bool b = n;
    check(b == (n != 0) && b + b <= 2);
    if ((unsigned char)n == 0)
        check(b == false);
    bool p = &n, d = 0.1;
    check(p && d && sizeof(bool) == 1);
    b = true;
    b += 5;
    check(b == 1);
    return 0;
}
