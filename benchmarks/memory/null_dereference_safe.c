/* Tests a pointer that may be null. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int x = 3;
    int *p = 0;
    if (__VERIFIER_nondet_int() > 0)
        p = &x;
    if (p)
        x = *p + 1;
    return x;
}
