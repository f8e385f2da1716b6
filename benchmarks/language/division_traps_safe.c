/* Tests division by zero: the machine traps, so the path ends there. That violates nothing, and is no end of the program at
   which blocks must be freed. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    int *p = malloc(sizeof *p);
    *p = 100 / n;
    if (n == 0)
        reach_error();
    if (n == 7) {
        if (*p % (n - 7))
            n = 8;
        reach_error();
        p = 0;
    }
    free(p);
    return 0;
}
