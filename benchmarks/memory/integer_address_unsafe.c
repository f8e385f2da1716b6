/* Tests a pointer made from a small integer: it may be compared but not used. Violation: address
 * 16 is read.
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 1;
    int *poison = (int *)16;
    int *p = __VERIFIER_nondet_int() ? poison : &x;
    if (p == poison)
        x = 2;
    return *p;
}
