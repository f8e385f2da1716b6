/* Tests recursion of bounded depth, direct and mutual. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int factorial(int n)
{
    return n <= 1 ? 1 : n * factorial(n - 1);
}

static int odd(int n);

static int even(int n)
{
    return n == 0 ? 1 : odd(n - 1);
}

static int odd(int n)
{
    return n == 0 ? 0 : even(n - 1);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 5)
        return 0;
    check(factorial(n) <= 120);
    check(even(n) == (n % 2 == 0));
    return 0;
}
