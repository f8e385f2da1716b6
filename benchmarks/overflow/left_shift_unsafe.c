/* Tests a left shift of a nonnegative int. Violation: 2 to the 30 shifted by one does not fit. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a < 0 || a > 1 << 30)
        return 0;
    return (a << 1) > 7;
}
