/* Tests a pointer that receives a second block. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof(int));
    if (__VERIFIER_nondet_int()) {
        free(p);
        p = malloc(2 * sizeof(int));
    }
    free(p);
    return 0;
}
