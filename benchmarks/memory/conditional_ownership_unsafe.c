/* Tests a flag that tells who frees a block. Violation: the flag is set on a path where the callee
 * has freed it.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int consume(int *p, int n)
{
    if (n % 3 == 0) {
        free(p);
        return 1;
    }
    return 0;
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *p = malloc(sizeof(int));
    int taken = consume(p, n);
    if (!taken || n == 3)
        free(p);
    return 0;
}
