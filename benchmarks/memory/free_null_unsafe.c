/* Tests that freeing a null pointer does nothing. Violation: the pointer freed again was not set
 * to null.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = NULL;
    free(p);
    if (__VERIFIER_nondet_int())
        p = malloc(sizeof(int));
    free(p);
    free(p);
    return 0;
}
