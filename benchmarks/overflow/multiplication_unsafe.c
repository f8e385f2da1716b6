/* Tests the product of two bounded ints: 46340 squared is the largest square that fits. Violation:
 * 46341 squared does not fit.
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    if (a < -46340 || a > 46341)
        return 0;
    return a * a > 100;
}
