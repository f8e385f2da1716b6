// Two wide numbers are cut to their low bits: these are different where one is greater.
extern void reach_error(void);
extern unsigned __int128 __VERIFIER_nondet_uint128(void);

int main(void)
{
    unsigned x = (unsigned)__VERIFIER_nondet_uint128();
    unsigned y = (unsigned)__VERIFIER_nondet_uint128();
    if (x < 100 && x > y && x + y > 198)
        reach_error();
    return 0;
}
