// A stone is thrown up: it rises ever more slowly, then it falls.
// First its speed falls below zero, then its height falls.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int height = __VERIFIER_nondet_int(), speed = __VERIFIER_nondet_int();
    if (height > 10000 || speed > 10000 || speed < -10000)
        return 0;
    while (height > 0) {
        height += speed;
        speed--;
    }
    return 0;
}
