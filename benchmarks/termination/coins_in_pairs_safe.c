// Coins are taken away in pairs until none is left, of an even number.
// The number of pairs falls.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned coins = 2 * __VERIFIER_nondet_uint();
    unsigned long pairs = 0;
    while (coins != 0) {
        coins -= 2;
        pairs++;
    }
    return pairs == 7;
}
