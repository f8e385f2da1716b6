/* Tests a table of function pointers, one entry null. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

typedef int (*operation)(int, int);
static int add(int a, int b) { return a + b; }
static int sub(int a, int b) { return a - b; }
static int mul(int a, int b) { return a * b; }
static const operation table[] = {add, &sub, [3] = mul};

int main(void)
{
    int i = __VERIFIER_nondet_int();
    if (i < 0 || i > 3 || !table[i])
        return 0;
    int r = table[i](7, 3);
    check(r == 10 || r == 4 || r == 21);
    check((*table[0])(1, 2) == 3 && (**table[1])(1, 2) == -1);
    check(table[i] != add || i == 0);
    return 0;
}
