// Two indices come closer, whichever moves; in the twin they may change places.
// Violates termination.
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned char low = 0, high = 200;
    while (low != high) {
        if (__VERIFIER_nondet_int())
            low++;
        else
            high++;
    }
    return 0;
}
