// Lattice paths counted twice, by recursion in two arguments and by factorials. The last call's argument is computed from
// numbers that are not read any more, but that is known which results belong to them.
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned factorial(unsigned n)
{
    if (n < 2)
        return 1;
    return n * factorial(n - 1);
}

static unsigned paths(unsigned all, unsigned up)
{
    if (up == 0 || up == all)
        return 1;
    return paths(all - 1, up - 1) + paths(all - 1, up);
}

int main(void)
{
    unsigned all = __VERIFIER_nondet_uint() % 13, up = __VERIFIER_nondet_uint() % 13;

    if (up > all)
        return 0;
    return factorial(all) == paths(all, up) * factorial(up) * factorial(all - up);
}
