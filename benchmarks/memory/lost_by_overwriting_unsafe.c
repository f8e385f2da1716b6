/* Tests a pointer that receives a second block. Violation: the first block is lost. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof(int));
    if (__VERIFIER_nondet_int()) {
        p = malloc(2 * sizeof(int));
    }
    free(p);
    return 0;
}
