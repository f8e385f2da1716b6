/* Tests addition of ints as unsigned values, converted back. Violation: one operand stays int, and
 * so does the first sum.
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int sum = (int)(a + b + 1u);
    return sum > 0;
}
