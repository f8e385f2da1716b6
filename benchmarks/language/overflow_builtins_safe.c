/* Tests __builtin_add_overflow, _sub_ and _mul_: they tell whether the exact result fits. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int a = __VERIFIER_nondet_int();
    int b = __VERIFIER_nondet_int();
    int sum;
    if (__builtin_add_overflow(a, b, &sum))
        check((a > 0) == (b > 0));
    else
        check(sum - (long long)a == b);
    unsigned char small;
    check(__builtin_mul_overflow(16, 16, &small) && small == 0);
    check(!__builtin_sub_overflow(3u, 2u, &small) && small == 1);
    return 0;
}
