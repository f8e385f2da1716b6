/* Tests that unsigned arithmetic wraps without overflow. Violation: the last subtraction is one of
 * ints.
 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned int a = __VERIFIER_nondet_uint();
    unsigned int b = __VERIFIER_nondet_uint();
    unsigned int c = a + b;
    c = c * b - 7;
    c = -c;
    c++;
    int i = __VERIFIER_nondet_int();
    return i - 1 > c;
}
