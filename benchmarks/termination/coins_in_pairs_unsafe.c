// Coins are taken away in pairs until none is left: of an odd number the count goes around all unsigned numbers for ever.
// Violates termination.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned coins = __VERIFIER_nondet_uint();
    unsigned long pairs = 0;
    if (coins > 100)
        return 0;
    while (coins != 0) {
        coins -= 2;
        pairs++;
    }
    return pairs == 7;
}
