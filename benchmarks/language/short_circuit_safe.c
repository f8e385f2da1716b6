/* Tests that && and || evaluate their right operand only where needed, and yield 0 or 1. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int calls;

static int side(int result)
{
    calls++;
    return result;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int both = n && side(2);
    check(both == (n != 0) && calls == (n != 0));
    calls = 0;
    int one = n || side(0) || side(7);
    check(one == 1);
    check(calls == (n ? 0 : 2));
    calls = 0;
    check(!(side(0) && side(1)) && calls == 1);
    return 0;
}
