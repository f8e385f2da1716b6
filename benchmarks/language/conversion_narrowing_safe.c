/* Tests narrowing to signed char and short: the value is taken modulo the width, then sign-
 * extended.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int i = __VERIFIER_nondet_int();
    signed char c = i;
    if (i >= -128 && i <= 127)
        check(c == i);
    short s = (short)0x18000;
    check(s == -32768);
    check((signed char)0xff == -1 && (unsigned char)-1 == 255);
    return 0;
}
