// A stone is thrown up: it rises ever more slowly, then it falls.
// The wind carries it up again from time to time. Violates termination.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int height = __VERIFIER_nondet_int(), speed = __VERIFIER_nondet_int();
    if (height > 10000 || speed > 10000 || speed < -10000)
        return 0;
    while (height > 0) {
        height += speed;
        speed--;
        if (speed < -100 && height < 100) {
            speed = 101;
            height = 99;
        }
    }
    return 0;
}
