/* Tests ?: with and without (GNU) a middle operand, and its common type. */
extern int __VERIFIER_nondet_int(void);
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int calls;

static int next(void)
{
    return calls++;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int r = n ?: 42;
    check(r == (n == 0 ? 42 : n));
    check((next() ?: 5) == 5 && calls == 1);
    check((next() ?: 5) == 1 && calls == 2);
    unsigned int u = 0;
    check((n ? -1 : u) >= 0);
    check(sizeof(n ? (char)1 : (short)1) == sizeof(int));
    int *p = n ? &n : 0;
    check(n == 0 || *p == n);
    return 0;
}
