/* Tests that each activation of a recursive function has its own locals, also when their addresses
 * are passed down.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static void descend(int depth, int *outer)
{
    int mine = 0;
    if (depth > 0) {
        descend(depth - 1, &mine);
        *outer += mine + 1;
    }
}

int main(void)
{
    int total = 0;
    descend(2, &total);
    check(total == 2);
    int n = __VERIFIER_nondet_int();
    if (n >= 0 && n <= 4) {
        total = 0;
        descend(n, &total);
        check(total == n);
    }
    return 0;
}
