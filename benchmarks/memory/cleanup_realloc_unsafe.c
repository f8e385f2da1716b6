/* Tests that realloc replaces a block by one other block. Violation: the new block is live at the
 * end.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = realloc(NULL, 4);
    p[3] = 0;
    p = realloc(p, 100);
    p[99] = p[3];
    if (__VERIFIER_nondet_int())
        free(p);
    return 0;
}
