/* Tests the usual guards before an addition. Violation: the guard for negative values is missing. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (b > 0 && a > 2147483647 - b)
        return 1;
    return a + b > 0;
}
