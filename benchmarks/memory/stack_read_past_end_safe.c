/* Tests a nondeterministic index into a local array. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int v[4] = {1, 2, 3, 4};
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 4)
        return v[i];
    return 0;
}
