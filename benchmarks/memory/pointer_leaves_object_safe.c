/* Tests that a pointer may leave its array as long as it is back when it is used. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int v[4] = {0, 1, 2, 3};
    int *p = v;
    int n = __VERIFIER_nondet_int();
    if (n < 0 || n > 100)
        return 0;
    p = p + n;
    p = p - n - 0;
    return *p;
}
