/* Tests += in a loop. Violation: the third term of a billion does not fit any more. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        int term = __VERIFIER_nondet_int();
        if (term > 0 && term <= 1000000000)
            sum += term;
    }
    return sum > 0;
}
