/* Tests that conversions to a narrower or signed type are no overflow, nor is arithmetic that
 * stays in range after one. Violation: the converted value is doubled in int.
 */
extern long __VERIFIER_nondet_long(void);
extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    long wide = __VERIFIER_nondet_long();
    int narrow = (int)wide;
    short tiny = wide;
    int from_unsigned = __VERIFIER_nondet_uint();
    long twice = 2 * narrow;
    return twice > tiny && from_unsigned;
}
