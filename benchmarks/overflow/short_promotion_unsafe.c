/* Tests that unsigned short promotes to int. Violation: the product of two unsigned shorts is one
 * of ints and may not fit.
 */
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void)
{
    short s = __VERIFIER_nondet_short();
    short t = s * s;
    unsigned short a = __VERIFIER_nondet_ushort();
    unsigned short b = __VERIFIER_nondet_ushort();
    unsigned int product = a * b;
    return product > 5 && t;
}
