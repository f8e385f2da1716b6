// A short counter in steps of two, and counts of its rounds, which nothing asks for: the end is even, so it is met.
extern short __VERIFIER_nondet_short(void);

int main(void)
{
    short end = __VERIFIER_nondet_short(), i = 0;
    unsigned rounds = 0;
    long sum = 0;
    if (end < 0 || end % 2 != 0)
        return 0;
    while (i != end) {
        i += 2;
        rounds++;
        sum += rounds & 7;
    }
    return sum > 3;
}
