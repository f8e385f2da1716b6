/* Tests -- on a long. Violation: the smallest long is decremented. */
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long n = __VERIFIER_nondet_long();
    if (n == 0)
        return 0;
    --n;
    return n > 0;
}
