// Recursion on halves of an interval.
extern unsigned __VERIFIER_nondet_uint(void);

static unsigned leaves(unsigned from, unsigned to)
{
    if (to - from < 2)
        return 1;
    unsigned middle = from + (to - from) / 2;
    return leaves(from, middle) + leaves(middle, to);
}

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint() % 16;
    unsigned found = leaves(0, n);
    while (found != 0)
        found = found - 1;
    return 0;
}
