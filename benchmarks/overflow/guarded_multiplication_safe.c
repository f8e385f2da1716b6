/* Tests a guard by division before a multiplication of positive values. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a <= 0 || a > 2147483647 / 1000)
        return 0;
    int b = a * 1000;
    return b > 4;
}
