/* Tests a pointer to a variable of an inner block. */
extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int outer = 1;
    int *p = &outer;
    {
        int inner = 2;
        if (__VERIFIER_nondet_int())
            p = &inner;
        *p = 3;
        p = &outer;
    }
    return *p;
}
