// Two conditions that neighbours meet; behind them comes a branch.
extern void abort(void);
extern void reach_error(void);
extern int __VERIFIER_nondet_int(void);

static void require(int condition)
{
    if (!condition)
        abort();
}

int main(void)
{
    int first = __VERIFIER_nondet_int();
    int second = __VERIFIER_nondet_int();

    require(first > second);
    require(second + 2 > first);
    if (first == 3)
        second = 4;
    else
        second = 5;
    if (second > 3)
        reach_error();
    return 0;
}
