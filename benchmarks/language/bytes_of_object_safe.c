/* Tests access to an object's bytes through a character pointer. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int i = __VERIFIER_nondet_int();
    unsigned char *b = (unsigned char *)&i;
    b[3] = 0x80;
    check(i < 0);
    for (int k = 0; k < 4; k++)
        b[k] = k + 1;
    check(i == 0x04030201);
    char *low = (char *)&i + 1;
    low[0] = low[1] = 0;
    check(i == 0x04000001);
    return 0;
}
