/* Tests long, whose width the data model decides. */
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long a = __VERIFIER_nondet_long();
    if (a < 0 || a > 4611686018427387903L)
        return 0;
    long b = a;
    a = a + b;
    return a > 3;
}
