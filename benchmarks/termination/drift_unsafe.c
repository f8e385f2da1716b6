// Rounds that an input ends: after a thousand of them at the latest. In the twin a sum drifts, and nothing ends the rounds.
// Violates termination.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned sum = 5;
    while (__VERIFIER_nondet_int() != 3)
        sum += 8;
    return sum == 6;
}
