/* Tests a nondeterministic index into a local array. Violation: the index 4 is not excluded. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int v[4] = {1, 2, 3, 4};
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i <= 4)
        return v[i];
    return 0;
}
