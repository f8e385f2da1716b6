/* Tests that a new block may have the address of a freed one. Violated: the second block may be where the first one was. */
#include <stdlib.h>
extern void reach_error(void);
int main(void)
{
    char *p = malloc(16);
    unsigned long old = (unsigned long)p;
    free(p);
    p = malloc(16);
    char *q = p;
    if ((unsigned long)q == old)
        reach_error();
    free(q);
    return 0;
}
