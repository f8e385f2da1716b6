/* Tests the cleanup ladder of goto labels. Violation: the ladder frees the second block although
 * it was never set.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *a, *b;
    int status = -1;
    a = malloc(sizeof(int));
    if (__VERIFIER_nondet_int())
        goto free_b;
    b = malloc(sizeof(int));
    if (__VERIFIER_nondet_int())
        goto free_b;
    status = 0;
free_b:
    free(b);

    free(a);
    return status;
}
