/* Tests that realloc of null allocates. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = NULL;
    int n = 0;
    while (n < 4 && __VERIFIER_nondet_int()) {
        p = realloc(p, n + 1);
        p[n++] = 'x';
    }
    free(p);
    return 0;
}
