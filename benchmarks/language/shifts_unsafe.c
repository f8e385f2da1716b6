/* Tests shifts: the type of the left operand decides, a right shift of a negative int keeps the
 * sign. Violation: -1 >> 1 is -1, not a large positive value.
 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    unsigned int u = __VERIFIER_nondet_uint();
    check((u >> 31) <= 1u);
    check((u << 4 >> 4) == (u & 0x0fffffffu));
    check((unsigned char)1 << 8 == 256);
    check(1ULL << 40 == 1099511627776ULL);
    int i = __VERIFIER_nondet_int();
    if (i < 0)
        check((i >> 1) > 0);
    check((-8 >> 1) == -4);
    return 0;
}
