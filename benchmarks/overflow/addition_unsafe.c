/* Tests int addition of bounded values. Violation: the sum may exceed the largest int. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (a > 1073741824 || b > 1073741823 + 1)
        return 0;
    if (a < -1073741824 || b < -1073741824)
        return 0;
    return a + b > 0;
}
