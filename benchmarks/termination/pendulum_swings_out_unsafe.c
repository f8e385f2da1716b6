// A pendulum swings to the other side each time, and loses nothing at small heights.
// Violates termination.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int at = __VERIFIER_nondet_int();
    if (at > 1000000 || at < -1000000)
        return 0;
    while (at != 0) {
        if (at < 0)
            at = -(at + 1);
        else
            at = at > 5 ? 1 - at : -at - 1;
    }
    return 0;
}
