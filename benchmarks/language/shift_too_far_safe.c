/* Tests shifts by the width or more, and by negative numbers: any value comes of them, and the program goes on. */
extern unsigned __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned n = __VERIFIER_nondet_uint();
    unsigned bit = 1u << n;
    if (n < 32 && bit == 0)
        reach_error();
    if (n >= 32 && n < 40) {
        int rest = -16 >> n;
        if (rest != rest)
            reach_error();
    }
    return 0;
}
