/* Tests division: only the smallest int divided by -1 leaves the range. Violation: that case is
 * not excluded.
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    if (b == 0)
        return 0;
    return a / b;
}
