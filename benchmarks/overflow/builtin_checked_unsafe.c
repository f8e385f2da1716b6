/* Tests a checked addition builtin, which does not overflow itself. Violation: the sum is computed
 * again in the branch where it does not fit.
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int sum;
    if (__builtin_add_overflow(a, b, &sum))
        return a + b;
    return sum > 0 && a + b == sum;
}
