/* Tests reading a union member other than the one written: the bytes are little-endian. Violation:
 * the first byte is the least significant one.
 */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

union word {
    unsigned int whole;
    unsigned short half[2];
    unsigned char byte[4];
};

int main(void)
{
    union word w;
    w.whole = __VERIFIER_nondet_uint();
    check(w.byte[0] == (w.whole >> 24));
    check(w.half[1] == w.whole >> 16);
    w.byte[3] = 0;
    check(w.whole < 16777216u);
    check(sizeof(union word) == 4);
    return 0;
}
