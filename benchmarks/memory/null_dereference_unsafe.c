/* Tests a pointer that may be null. Violation: it is read without a check. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 3;
    int *p = 0;
    if (__VERIFIER_nondet_int() > 0)
        p = &x;
    x = *p + 1;
    return x;
}
