/* Tests the address of a local handed out of its function. */
extern int __VERIFIER_nondet_int(void);

static int *leak_address(int v)
{
    static int cell;
    int *p = &cell;
    *p = v;
    return p;
}

int main(void)
{
    int *p = leak_address(__VERIFIER_nondet_int());
    return *p > 0;
}
