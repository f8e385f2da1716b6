/* Tests the absolute value. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a == -2147483647 - 1)
        return 0;
    if (a < 0)
        a = -a;
    return a > 5;
}
