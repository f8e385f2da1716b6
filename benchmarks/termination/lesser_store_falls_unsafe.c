// Two stores lend to each other: the lesser one gives, or is filled up from the greater one when it is down to one, the greater one may be refilled.
// Violates termination.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int left = __VERIFIER_nondet_int(), right = __VERIFIER_nondet_int();
    while (left > 0 && right > 0) {
        if (left < right) {
            left--;
            right = __VERIFIER_nondet_int();
        } else {
            if (right == 1)
                right = left;
            else
                right--;
            if (right < left)
                left = __VERIFIER_nondet_int();
        }
    }
    return 0;
}
