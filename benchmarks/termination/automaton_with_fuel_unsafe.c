// An automaton goes round, but each round takes a unit; in the twin one way round does not.
// Violates termination.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int state = 0, fuel = 50;
    while (state != 3 && fuel > 0) {
        if (state == 0) {
            fuel--;
            state = __VERIFIER_nondet_int() ? 1 : 2;
        } else if (state == 1) {
            state = 0;
        } else {
            state = __VERIFIER_nondet_int() ? 2 : 3;
        }
    }
    return 0;
}
