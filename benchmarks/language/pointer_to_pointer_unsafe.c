/* Tests pointers to pointers and swapping through them. Violation: after the swap p points to b. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static void swap(int **p, int **q)
{
    int *t = *p;
    *p = *q;
    *q = t;
}

int main(void)
{
    int a = 1, b = 2;
    int *p = &a, *q = &b;
    int n = __VERIFIER_nondet_int();
    if (n)
        swap(&p, &q);
    *p = 7;
    check(n ? a == 7 : a == 7);
    int ***deep = &(int **){&p};
    ***deep = 8;
    check(*p == 8);
    return 0;
}
