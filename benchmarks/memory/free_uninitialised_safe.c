/* Tests a pointer that is assigned on one path only. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = NULL;
    if (__VERIFIER_nondet_int())
        p = malloc(sizeof(int));
    free(p);
    return 0;
}
