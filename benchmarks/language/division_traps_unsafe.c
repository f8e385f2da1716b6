/* Tests division by zero: what was lost before the machine traps was lost all the same. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *p = malloc(sizeof *p);
    if (n == 12345) {
        p = 0;
        n = 1 / (n - 12345);
    }
    free(p);
    return 0;
}
