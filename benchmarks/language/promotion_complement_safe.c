/* Tests that ~ and - of an unsigned char promote to int first. */
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
    check(~c == -c - 1);
    check((unsigned char)~c == 255 - c);
    return 0;
}
