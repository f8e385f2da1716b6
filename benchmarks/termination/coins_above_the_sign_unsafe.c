// Unsigned numbers from the upper half down: the rest is never less than a coin before it is paid, but coins may be worth nothing.
// Violates termination.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned rest = __VERIFIER_nondet_uint(), coin = __VERIFIER_nondet_uint(), phase = 0;
    if (rest < 3000000000u)
        return 0;
    while (rest >= coin) {
        rest -= coin;
        phase = (phase + 1) % 7;
    }
    return phase;
}
