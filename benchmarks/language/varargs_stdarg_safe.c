/* Tests variable arguments: ints, a promoted char, a pointer, long long, va_copy. */
#include <stdarg.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

static long long sum(int n, ...)
{
    va_list list, again;
    long long total = 0;
    va_start(list, n);
    va_copy(again, list);
    for (int i = 0; i < n; i++)
        total += va_arg(list, int);
    total += va_arg(list, long long);
    *va_arg(list, int *) = va_arg(again, int);
    va_end(again);
    va_end(list);
    return total;
}

int main(void)
{
    int x = __VERIFIER_nondet_int() % 10;
    char c = 'A';
    int first = 0;
    check(sum(3, 1, c, x, 1LL << 40, &first) == (1LL << 40) + 66 + x);
    check(first == 1);
    return 0;
}
