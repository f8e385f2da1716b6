/* What the first numbers add up to, with the wrong formula. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void) {
    unsigned last = __VERIFIER_nondet_uint();
    if (last > 60000) return 0;
    unsigned sum = 0;
    for (unsigned i = 1; i <= last; i++) {
        sum += i;
    }
    if (2 * sum != last * (last + 2)) reach_error();
    return 0;
}
