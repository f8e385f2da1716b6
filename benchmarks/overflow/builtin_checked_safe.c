/* Tests a checked addition builtin, which does not overflow itself. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int sum;
    if (__builtin_add_overflow(a, b, &sum))
        return 0;
    return sum > 0 && a + b == sum;
}
