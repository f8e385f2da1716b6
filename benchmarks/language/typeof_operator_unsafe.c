/* Tests typeof (GNU) of an expression, which is not evaluated, and of an array. Violation: a copy
 * of type unsigned char wraps.
 */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    unsigned char c = __VERIFIER_nondet_uchar();
    typeof(c) next = c + 1;
    typeof(c + 1) wide = c + 1;
    check(next == wide);
    int i = 0;
    __typeof__(i++) j = 5;
    check(i == 0 && j == 5);
    int a[4];
    __typeof__(a) b;
    check(sizeof b == 16);
    return 0;
}
