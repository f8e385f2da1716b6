/* Tests a signed index that is checked on one side. Violation: a negative index writes before the
 * array.
 */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char v[8];
    int i = __VERIFIER_nondet_int();
    if (i > 7)
        return 0;
    v[i] = 1;
    return v[i];
}
