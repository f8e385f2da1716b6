/* Tests a goto out of nested loops. Violation: the search stops at the first match, 2 and 3. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int i, j;
    int product = __VERIFIER_nondet_int();
    for (i = 1; i < 4; i++)
        for (j = 1; j < 4; j++)
            if (i * j == product)
                goto found;
    check(product != 6 && product != 9 && product != 2);
    return 0;
found:
    check(i * j == product);
    if (product == 6)
        check(i == 3 && j == 2);
    return 0;
}
