/* Tests that realloc replaces a block by one other block. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = realloc(NULL, 4);
    p[3] = 0;
    p = realloc(p, 100);
    p[99] = p[3];
    if (1)
        free(p);
    return 0;
}
