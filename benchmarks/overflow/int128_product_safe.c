/* Tests products of long longs in 128 bits. */
extern long long __VERIFIER_nondet_longlong(void);

int main(void)
{
    __int128 a = __VERIFIER_nondet_longlong();
    __int128 b = __VERIFIER_nondet_longlong();
    __int128 product = a * b;
    return product > 0;
}
