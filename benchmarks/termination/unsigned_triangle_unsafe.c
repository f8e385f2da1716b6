// Nested loops up to an unsigned number of any size; in the twin the inner loop takes the outer one back.
// Violates termination.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned end = __VERIFIER_nondet_uint(), sum = 0;
    for (unsigned i = 0; i < end; i++)
        for (unsigned j = 0; j < i; j++)
            i = 0;
    return sum == 7;
}
