/* Tests that a new block may have the address of a freed one. */
#include <stdlib.h>
extern void reach_error(void);
int main(void)
{
    char *p = malloc(16);
    unsigned long old = (unsigned long)p;
    free(p);
    p = malloc(16);
    char *q = p;
    if (p != q)
        reach_error();
    free(q);
    return 0;
}
