/* Tests the usual arithmetic conversions in a comparison of int with unsigned int. Violation: -1
 * becomes the largest unsigned value.
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
    unsigned int u = 1;
    if (i < 1) {
        check(i > u);
    }
    check(-1 > u);
    return 0;
}
