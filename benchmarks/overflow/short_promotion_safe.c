/* Tests that unsigned short promotes to int. */
extern short __VERIFIER_nondet_short(void);
extern unsigned short __VERIFIER_nondet_ushort(void);

int main(void)
{
    short s = __VERIFIER_nondet_short();
    short t = s * s;
    unsigned short a = __VERIFIER_nondet_ushort();
    unsigned short b = __VERIFIER_nondet_ushort();
    unsigned int product = (unsigned int)a * b;
    return product > 5 && t;
}
