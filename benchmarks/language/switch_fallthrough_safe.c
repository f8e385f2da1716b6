/* Tests a switch with fall-through and a default in the middle. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static int steps(int i)
{
    int n = 0;
    switch (i) {
    case 1:
        n += 1;
    default:
        n += 10;
    case 3:
        n += 100;
        break;
    case 4:
        n += 1000;
    }
    return n;
}

int main(void)
{
    check(steps(1) == 111 && steps(3) == 100 && steps(4) == 1000);
    int i = __VERIFIER_nondet_int();
    if (i != 1 && i != 3 && i != 4)
        check(steps(i) == 110);
    return 0;
}
