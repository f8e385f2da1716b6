/* Tests left shifts of unsigned values, which only lose bits. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    unsigned int u = __VERIFIER_nondet_uint();
    unsigned char c = __VERIFIER_nondet_uchar();
    u = u << 9;
    u ^= (unsigned int)c << 24;
    return u > 3;
}
