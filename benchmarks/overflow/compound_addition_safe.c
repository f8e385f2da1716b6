/* Tests += in a loop. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int sum = 0;
    for (int i = 0; i < 4; i++) {
        int term = __VERIFIER_nondet_int();
        if (term > 0 && term <= 500000000)
            sum += term;
    }
    return sum > 0;
}
