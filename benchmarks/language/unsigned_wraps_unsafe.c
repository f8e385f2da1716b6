/* Tests that unsigned addition and subtraction wrap. Violation: the sum is smaller than an operand
 * after a wrap.
 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    unsigned int a = __VERIFIER_nondet_uint();
    unsigned int b = __VERIFIER_nondet_uint();
    unsigned int sum = a + b;
    check(sum - b == a);
    check(sum >= a);
    check(0u - 1u == 4294967295u);
    return 0;
}
