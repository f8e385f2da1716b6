// A pendulum swings to the other side each time, and loses some of its height.
// Its distance from the middle falls.
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
            at = 1 - at;
    }
    return 0;
}
