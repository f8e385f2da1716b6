/* Tests the usual arithmetic conversions in a comparison of int with unsigned int. */
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
    if (i < 0) {
        check(i > u);
    }
    check(-1 > u);
    return 0;
}
