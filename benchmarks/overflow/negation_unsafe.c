/* Tests the absolute value. Violation: the smallest int has no negative. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a < 0)
        a = -a;
    return a > 5;
}
