// Lattice paths counted twice, by recursion in two arguments and by factorials, again and again for other numbers: the one that is
// kept at ten never comes to an end.
// Violates termination.
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
    unsigned all = __VERIFIER_nondet_uint() % 13, up = 0;

    while (factorial(all) == paths(all, up) * factorial(up) * factorial(all - up))
        if (up < all && up < 5)
            up++;
    return 0;
}
