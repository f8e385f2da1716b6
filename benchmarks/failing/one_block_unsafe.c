/* Tests a block that is used after a look at its address, where allocations may fail. Violated: null is written through. */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof *p);
    *p = 3;
    free(p);
    return 0;
}
