/* Tests a pointer that is either to the heap or to a local. Violation: the local is freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int local = 1;
    int *p = &local;
    if (__VERIFIER_nondet_int())
        p = malloc(sizeof(int));
    *p = 2;
    free(p);
    return 0;
}
