// Rounds that an input ends: after a thousand of them at the latest. In the twin a sum drifts, and nothing ends the rounds.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned sum = 5;
    int rounds = 0;
    while (__VERIFIER_nondet_int() != 3 && rounds < 1000) {
        sum += 8;
        rounds++;
    }
    return sum == 6;
}
