/* Long division: the divisor is doubled as often as it fits, and miscounted once. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned dividend = __VERIFIER_nondet_uint(), divisor = __VERIFIER_nondet_uint();
    if (divisor == 0) return 0;
    unsigned quotient = 0, rest = dividend;
    while (rest >= divisor) {
        unsigned times = 1, part = divisor;
        while (part <= rest / 2) {
            part = part + part;
            times = times + times + (times == 8);
        }
        rest = rest - part;
        quotient = quotient + times;
    }
    if (quotient * divisor + rest != dividend) reach_error();
    return 0;
}
