/* Tests that realloc of null allocates. Violation: null given to realloc again, the first block is
 * lost.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = NULL;
    int n = 0;
    while (n < 4 && __VERIFIER_nondet_int()) {
        p = realloc(n < 2 ? p : NULL, n + 1);
        p[n++] = 'x';
    }
    free(p);
    return 0;
}
