/* Tests a pointer to a single variable used as an array. */
extern int __VERIFIER_nondet_int(void);

static void clear(int *v, int n)
{
    while (n-- > 0)
        v[n] = 0;
}

int main(void)
{
    int x = 5;
    clear(&x, 1);
    return x;
}
