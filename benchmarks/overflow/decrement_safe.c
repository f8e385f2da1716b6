/* Tests -- on a long. */
extern long __VERIFIER_nondet_long(void);

int main(void)
{
    long n = __VERIFIER_nondet_long();
    if (n <= 0)
        return 0;
    --n;
    return n > 0;
}
