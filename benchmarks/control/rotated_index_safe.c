// A shift of any sign, brought into the range of the index by a remainder by a number that is not constant.
extern int __VERIFIER_nondet_int(void);
extern long __VERIFIER_nondet_long(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n <= 0)
        return 0;
    long shift = __VERIFIER_nondet_long() % n;
    if (shift < 0)
        shift += n;
    if (shift < 0 || shift >= n)
        reach_error();
    return 0;
}
