/* Tests the ranges of the __VERIFIER_nondet functions. Violation: a short may be negative. */
typedef unsigned long size_t;
extern unsigned char __VERIFIER_nondet_uchar(void);
extern _Bool __VERIFIER_nondet_bool(void);
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);
extern size_t __VERIFIER_nondet_size_t(void);
extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    check(__VERIFIER_nondet_uchar() <= 255);
    _Bool b = __VERIFIER_nondet_bool();
    check(b == 0 || b == 1);
    check(__VERIFIER_nondet_short() >= 0);
    check(__VERIFIER_nondet_ushort() >= 0);
    check(__VERIFIER_nondet_size_t() >= 0 && sizeof(__VERIFIER_nondet_long()) == 8);
    return 0;
}
