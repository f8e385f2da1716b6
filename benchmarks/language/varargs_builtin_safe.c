/* Tests variable arguments handed to another function as a va_list. */
extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

typedef __builtin_va_list va_list;

static int largest(int n, va_list list)
{
    int best = -1;
    while (n-- > 0) {
        int v = __builtin_va_arg(list, int);
        if (v > best)
            best = v;
    }
    return best;
}

static int largest_of(int n, ...)
{
    va_list list;
    __builtin_va_start(list, n);
    int r = largest(n, list);
    __builtin_va_end(list);
    return r;
}

int main(void)
{
    check(largest_of(0) == -1);
    check(largest_of(3, 4, 9, 2) == 9);
    int x = __VERIFIER_nondet_int();
    check(largest_of(2, x, 5) >= 5);
    return 0;
}
