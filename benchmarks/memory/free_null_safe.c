/* Tests that freeing a null pointer does nothing. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = NULL;
    free(p);
    if (__VERIFIER_nondet_int())
        p = malloc(sizeof(int));
    free(p);
    p = NULL;
    free(p);
    return 0;
}
