/* Tests the comma operator: left to right, with the value and type of the right operand.
 * Violation: the value is the right operand.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int a = __VERIFIER_nondet_int() % 100;
    int b = (a += 1, a * 2);
    check(b == 2 * a);
    int x = (1, 2, 3);
    check(x == 1);
    int i, j;
    for (i = 0, j = 10; i < j; i++, j--)
        ;
    check(i == 5 && j == 5);
    check(sizeof((char)1, (short)2) == sizeof(short));
    return 0;
}
