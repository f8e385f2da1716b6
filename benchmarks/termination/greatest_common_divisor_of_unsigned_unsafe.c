// Subtraction ends where neither number is zero, which has to be kept of unsigned numbers that have any other value.
// Violates termination.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned a = __VERIFIER_nondet_uint(), b = __VERIFIER_nondet_uint();
    if (a == 0)
        return 0;
    while (a != b) {
        if (a < b)
            b -= a;
        else
            a -= b;
    }
    return a == 1;
}
