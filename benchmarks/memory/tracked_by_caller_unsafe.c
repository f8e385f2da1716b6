/* Tests that a variable of a waiting caller keeps a block tracked while the callee loses its own
 * pointer. Violation: the caller forgets it after the call.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static void forget(int *p)
{
    *p = 1;
    p = NULL;
}

int main(void)
{
    int *p = malloc(sizeof(int));
    forget(p);
    if (*p == __VERIFIER_nondet_int())
        *p = 2;
    p = NULL;
    return 0;
}
