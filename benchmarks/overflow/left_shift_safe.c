/* Tests a left shift of a nonnegative int. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a < 0 || a >= 1 << 30)
        return 0;
    return (a << 1) > 7;
}
