/* Tests that exit, abort and _Exit end the program from within a callee. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void stop(int n)
{
    if (n > 0)
        exit(n % 2);
    if (n < 0)
        abort();
    _Exit(0);
}

int main(void)
{
    stop(__VERIFIER_nondet_int());
    reach_error();
    return 0;
}
