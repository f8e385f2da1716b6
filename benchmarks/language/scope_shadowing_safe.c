/* Tests shadowing: parameters, blocks, for-scope, tags, extern inside a block, a name visible in
 * its own initialiser.
 */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int x = 1;

static int f(int x)
{
    {
        int x = 3;
        for (int x = 0; x < 2; x++) {
            int x = 9;
            x++;
        }
        if (x != 3)
            return -1;
        {
            extern int x;
            x++;
        }
    }
    return x;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    check(f(n) == n);
    check(x == 2);
    int y = sizeof(y);
    check(y == 4);
    enum { x = 50 };
    check(x == 50);
    return 0;
}
