/* Tests __builtin_popcount, ctz, clz, bswap32, expect and constant_p. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    unsigned int u = __VERIFIER_nondet_uint();
    check(__builtin_popcount(0xf0f0u) == 8);
    if (__builtin_expect(u != 0, 1)) {
        check(u >> __builtin_ctz(u) & 1);
        check(__builtin_clz(u) <= 31);
    }
    check(__builtin_bswap32(0x01020304u) == 0x04030201u);
    check(__builtin_ffs(0) == 0 && __builtin_ffs(8) == 4);
    return 0;
}
