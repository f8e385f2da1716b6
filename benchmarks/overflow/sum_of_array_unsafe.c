/* Tests a sum over an array, in a wider type. Violation: the sum is kept in an int. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int v[3];
    for (int i = 0; i < 3; i++)
        v[i] = __VERIFIER_nondet_int();
    int sum = 0;
    for (int i = 0; i < 3; i++)
        sum += v[i];
    return sum > 0;
}
