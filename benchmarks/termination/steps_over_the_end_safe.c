// A counter that meets its end exactly ends the loop; one that goes in steps of two passes an odd end for ever.
extern unsigned __VERIFIER_nondet_uint(void);

int main(void)
{
    unsigned end = __VERIFIER_nondet_uint();
    if (end > 1000)
        return 0;
    for (unsigned i = 0; i != end; i += 1)
        ;
    return 0;
}
