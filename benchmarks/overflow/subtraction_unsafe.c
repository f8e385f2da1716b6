/* Tests comparison by subtraction. Violation: the difference of values of opposite sign may not
 * fit.
 */
extern int __VERIFIER_nondet_int(void);

static int compare(int a, int b)
{
    return a - b;
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    return compare(a, b) < 0;
}
