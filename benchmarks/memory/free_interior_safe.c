/* Tests that only the start of a block can be freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(4 * sizeof(int));
    int *q = p;
    if (__VERIFIER_nondet_int())
        q++;
    *q = 1;
    free(p);
    return 0;
}
