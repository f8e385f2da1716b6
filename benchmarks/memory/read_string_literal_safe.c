/* Tests the bounds of a string literal, terminator included. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    const char *s = "abcd";
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 4)
        return 0;
    return s[i];
}
