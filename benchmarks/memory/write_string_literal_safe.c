/* Tests that a string literal cannot be written, unlike an array initialised by one. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char own[] = "abc";
    const char *literal = "abc";
    char *p = __VERIFIER_nondet_int() ? own : (char *)literal;
    if (p == own)
        p[0] = 'x';
    return p[0];
}
