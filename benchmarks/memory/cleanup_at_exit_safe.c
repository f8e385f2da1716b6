/* Tests blocks at a call of exit. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof(int));
    *p = __VERIFIER_nondet_int();
    if (*p > 100) {
        free(p);
        exit(1);
    }
    free(p);
    return 0;
}
