/* Tests a pointer carried in an integer: converted back it is the same pointer; the low bits of an
 * aligned one are free.
 */
#include <stdint.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int cell = 5;
    uintptr_t word = (uintptr_t)&cell;
    check((word & 3) == 0);
    int tag = __VERIFIER_nondet_int() ? 1 : 0;
    word |= tag;
    check((word & 1) == tag);
    int *p = (int *)(word & ~(uintptr_t)1);
    check(p == &cell && *p == 5);
    *p = 6;
    check(cell == 6);
    return 0;
}
