/* Tests long long multiplication. Violation: the second factor is unbounded. */
extern int __VERIFIER_nondet_int(void);
extern long long __VERIFIER_nondet_longlong(void);

int main(void)
{
    long long a = __VERIFIER_nondet_int();
    long long b = __VERIFIER_nondet_longlong();
    return a * b > 0;
}
