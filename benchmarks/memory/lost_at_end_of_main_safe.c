/* Tests a block at the end of main: a global or static still points to it. */
#include <stdlib.h>

static int *kept;

int main(void)
{
    int *p = malloc(sizeof(int));
    *p = 1;
    static int *also;
    kept = p;
    also = malloc(sizeof(int));
    *also = 2;
    return 0;
}
