/* Tests *= in a loop: powers of ten. Violation: ten to the tenth does not fit an int. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int power = 1;
    for (int i = 0; i < n && i < 10; i++)
        power *= 10;
    return power > 1;
}
