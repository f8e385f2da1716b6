/* Tests that a string literal cannot be written, unlike an array initialised by one. Violation:
 * the literal is written.
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char own[] = "abc";
    const char *literal = "abc";
    char *p = __VERIFIER_nondet_int() ? own : (char *)literal;
    if (p != literal + 1)
        p[0] = 'x';
    return p[0];
}
