/* Tests that long is no wider than int under ILP32, but long long is. Violation: the product does
 * not fit a 32-bit long.
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100000)
        return 0;
    long square = (long)n * n;
    return square > 7;
}
