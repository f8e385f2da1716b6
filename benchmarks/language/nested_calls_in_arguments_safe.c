/* Tests nested calls, calls in initialisers and conditions, and the value of an assignment. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int inc(int n)
{
    return n + 1;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 1000)
        return 0;
    check(inc(inc(inc(n))) == n + 3);
    int a;
    signed char c;
    a = c = n;
    check(a == c);
    if ((a = inc(n)) && a != n + 1)
        reach_error();
    return 0;
}
