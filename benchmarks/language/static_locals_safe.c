/* Tests static locals: initialised once, kept between calls, one per function. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int tick(void)
{
    static int n;
    return ++n;
}

static int other(void)
{
    static int n = 10;
    {
        static int n = 20;
        n++;
        if (n > 22)
            return n;
    }
    return n++;
}

int main(void)
{
    tick();
    tick();
    check(tick() == 3);
    check(other() == 10 && other() == 11 && other() == 23);
    return 0;
}
