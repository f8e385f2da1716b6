// A crane goes up to a height that is asked for, then down, then stops: what decreases differs from phase to phase.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int top = __VERIFIER_nondet_int(), bottom = __VERIFIER_nondet_int();
    int height = 0, phase = 0;
    if (top > 30000 || bottom < -30000)
        return 0;
    while (phase < 2) {
        if (phase == 0) {
            if (height < top)
                height++;
            else
                phase = 1;
        } else {
            if (height > bottom)
                height--;
            else
                phase = 2;
        }
    }
    return 0;
}
