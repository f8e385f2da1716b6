/* Tests 64-bit arithmetic under a 32-bit data model. Violation: the product is computed in
 * unsigned int, and so cut, before it is widened.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0)
        i = 0;
    long long square = (unsigned int)i * i;
    check(i < 100000 || square >= 10000000000LL);
    check((int)(0x123456789abcdef0LL >> 32) == 0x12345678);
    return 0;
}
