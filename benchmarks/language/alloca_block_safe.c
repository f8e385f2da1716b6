/* Tests alloca: the block lives until the function returns, beyond the block it was made in. */
#include <alloca.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int *first = 0, *second = 0;
    for (int i = 1; i <= 2; i++) {
        int *p = alloca(sizeof(int));
        *p = i;
        if (i == 1)
            first = p;
        else
            second = p;
    }
    check(*second == 2);
    check(*first == 1);
    int n = __VERIFIER_nondet_int();
    if (n > 0 && n < 5) {
        int *v = __builtin_alloca(n * sizeof(int));
        v[n - 1] = 3;
        check(v[n - 1] == 3);
    }
    return 0;
}
