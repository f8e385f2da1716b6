/* Tests the property on a label ERROR inside a called function. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void demand(int condition)
{
    if (!condition) {
    ERROR:
        reach_error();
    }
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n > 0)
        demand(n);
    return 0;
}
