/* Tests a pointer that is set on some paths. Violation: for n == 0 it has an arbitrary value. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = 0, b = 0;
    int *p;
    int n = __VERIFIER_nondet_int();
    if (n > 0)
        p = &a;
    if (n < 0)
        p = &b;
    *p = 1;
    return a + b;
}
