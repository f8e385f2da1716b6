/* Tests a jump into a block past an initialisation and a jump back: the skipped initialisation
 * does not run. Violation: on the second pass through the label x is 2.
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
    int passes = 0;
    int n = __VERIFIER_nondet_int();
    if (n > 0)
        goto inside;
    {
        int x;
        x = 100;
        passes = 10;
    inside:
        x = passes == 0 ? 1 : 2;
        passes++;
        if (passes < 2)
            goto inside;
        check(x == 1);
    }
    check(passes == (n > 0 ? 2 : 11));
    return 0;
}
