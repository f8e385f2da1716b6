/* Tests that a variable of a waiting caller keeps a block tracked while the callee loses its own
 * pointer.
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
    free(p);
    return 0;
}
