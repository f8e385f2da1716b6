/* Tests that exit, abort and _Exit end the program from within a callee. Violation: the callee
 * does not stop for 0.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void stop(int n)
{
    if (n > 0)
        exit(n % 2);
    if (n < 0)
        abort();
}

int main(void)
{
    stop(__VERIFIER_nondet_int());
    reach_error();
    return 0;
}
