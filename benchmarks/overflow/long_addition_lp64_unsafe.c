/* Tests long, whose width the data model decides. Violation: there is no upper bound. */
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long a = __VERIFIER_nondet_long();
    if (a < 0)
        return 0;
    long b = a;
    a = a + b;
    return a > 3;
}
