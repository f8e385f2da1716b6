/* Tests that division truncates towards zero and the remainder takes the sign of the dividend. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    check(-7 / 2 == -3 && -7 % 2 == -1 && 7 / -2 == -3 && 7 % -2 == 1);
    check(-7 / 2u == 2147483644u);
    int i = __VERIFIER_nondet_int();
    int r = i % 2;
    check(r == 0 || r == 1 || r == -1);
    check(i / 2 * 2 + r == i);
    return 0;
}
