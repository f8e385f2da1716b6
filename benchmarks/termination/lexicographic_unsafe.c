// The second number may grow whenever the first falls; in the twin the first one does not have to.
// Violates termination.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    while (a > 0 && b > 0) {
        if (__VERIFIER_nondet_uint() % 2) {
            a;
            b = __VERIFIER_nondet_uint();
        } else {
            b--;
        }
    }
    return 0;
}
