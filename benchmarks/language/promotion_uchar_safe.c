/* Tests integer promotion: unsigned char operands are added as int. */
extern unsigned char __VERIFIER_nondet_uchar(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    unsigned char a = __VERIFIER_nondet_uchar();
    check(a + 1 > 0);
    unsigned char b = a + 1;
    check(b == (a + 1) % 256);
    return 0;
}
