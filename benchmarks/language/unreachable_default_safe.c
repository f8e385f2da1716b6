/* Tests path conditions: modulus and ranges exclude the error call. */
extern unsigned int __VERIFIER_nondet_uint(void);
extern void reach_error(void);

int main(void)
{
    unsigned int n = __VERIFIER_nondet_uint();
    switch (n % 5) {
    case 0:
    case 1:
    case 2:
    case 3:
        break;
    case 4:
        break;
    default:
        reach_error();
    }
    return 0;
}
