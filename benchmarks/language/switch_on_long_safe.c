/* Tests that case labels are converted to the promoted type of the controlling expression. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int pick(unsigned char c)
{
    switch (c) {
    case 255:
        return 1;
    case -1:
        return 2;
    }
    return 3;
}

static int wide(long long v)
{
    switch (v) {
    case 0x100000001LL:
        return 1;
    case 1:
        return 2;
    }
    return 0;
}

int main(void)
{
    check(pick(-1) == 1);
    check(wide(0x100000001LL) == 1 && wide(1) == 2);
    check(wide(__VERIFIER_nondet_int() ? 5 : 1) != 1);
    return 0;
}
