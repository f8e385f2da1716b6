/* Tests a read near a free. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof(int));
    *p = __VERIFIER_nondet_int();
    int seen = *p;
    free(p);
    if (seen > 0)
        return 1;
    return 0;
}
