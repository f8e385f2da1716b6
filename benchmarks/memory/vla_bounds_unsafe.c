/* Tests the bounds of a variable length array. Violation: the last index equals the length. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 2 || n > 8)
        return 0;
    int v[n];
    for (int i = 0; i < n; i++)
        v[i] = 0;
    return v[n];
}
