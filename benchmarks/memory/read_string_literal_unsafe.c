/* Tests the bounds of a string literal, terminator included. Violation: the byte behind the
 * terminator is read.
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    const char *s = "abcd";
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 5)
        return 0;
    return s[i];
}
