// Two stores lend to each other: the lesser one gives, the greater one may be refilled.
// The lesser of both falls in each round.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int left = __VERIFIER_nondet_int(), right = __VERIFIER_nondet_int();
    while (left > 0 && right > 0) {
        if (left < right) {
            left--;
            right = __VERIFIER_nondet_int();
        } else {
            right--;
            if (right < left)
                left = __VERIFIER_nondet_int();
        }
    }
    return 0;
}
