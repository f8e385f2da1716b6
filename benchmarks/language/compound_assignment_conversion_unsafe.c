/* Tests that a compound assignment computes in the common type and converts the result back.
 * Violation: the byte wraps after += 200.
 */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    unsigned char c = __VERIFIER_nondet_uchar();
    unsigned char old = c;
    c += 200;
    check(c >= 200);
    int i = 10;
    i *= 1.5;
    check(i == 15);
    short s = 1;
    s <<= 15;
    check(s == -32768);
    unsigned char quarter = 255;
    quarter /= -1;
    check(quarter == 1);
    return 0;
}
