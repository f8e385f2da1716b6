/* Tests 128-bit integers: a full 64 by 64 bit product. */
extern unsigned long __VERIFIER_nondet_ulong(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    unsigned long a = __VERIFIER_nondet_ulong();
    unsigned long b = __VERIFIER_nondet_ulong();
    unsigned __int128 product = (unsigned __int128)a * b;
    check((unsigned long)product == a * b);
    if (a < 4294967296UL && b < 4294967296UL)
        check((product >> 64) == 0);
    __int128 minus = -1;
    check(minus >> 100 == -1 && sizeof minus == 16);
    check((unsigned __int128)minus >> 127 == 1);
    return 0;
}
