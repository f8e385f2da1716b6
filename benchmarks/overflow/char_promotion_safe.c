/* Tests that arithmetic on chars happens in int and cannot overflow there; storing it back only
 * converts.
 */
extern char __VERIFIER_nondet_char(void);
extern unsigned char __VERIFIER_nondet_uchar(void);

int main(void)
{
    char c = __VERIFIER_nondet_char();
    c = c + 127;
    c++;
    c -= 100;
    unsigned char u = __VERIFIER_nondet_uchar();
    int product = u * u * u;
    return product > c;
}
