/* Tests blocks at a call of exit. Violation: the block is live at exit. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof(int));
    *p = __VERIFIER_nondet_int();
    if (*p > 100) {
        exit(1);
    }
    free(p);
    return 0;
}
