/* Tests callbacks with a context pointer and a function that returns a function pointer.
 * Violation: the chosen callback may be the one that counts odd numbers.
 */
extern int __VERIFIER_nondet_int(void);
extern void abort(void);

void reach_error(void)
{
    abort();
}

static void check(int condition)
{
    if (!condition)
        reach_error();
}

struct counter {
    int seen;
};

static void count_even(void *context, int v)
{
    if (v % 2 == 0)
        ((struct counter *)context)->seen++;
}

static void count_odd(void *context, int v)
{
    if (v % 2)
        ((struct counter *)context)->seen++;
}

static void each(const int *v, int n, void (*f)(void *, int), void *context)
{
    while (n-- > 0)
        f(context, *v++);
}

static void (*choose(int even))(void *, int)
{
    return even ? count_even : count_odd;
}

int main(void)
{
    int values[] = {1, 2, 3, 4, 5};
    struct counter c = {0};
    int even = __VERIFIER_nondet_int();
    each(values, 5, choose(even), &c);
    check(c.seen == 2);
    return 0;
}
