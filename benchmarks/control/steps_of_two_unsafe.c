// The twin: steps of 6 are not all multiples of 4.
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    unsigned odd = 1;
    unsigned steps = 0;
    while (__VERIFIER_nondet_int()) {
        odd += 2u * (unsigned)__VERIFIER_nondet_int();
        steps += 6;
        if (odd == 0) {
            reach_error();
        }
        if (steps % 4 == 2) {
            reach_error();
        }
    }
    return 0;
}
