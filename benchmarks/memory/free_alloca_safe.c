/* Tests that an alloca block frees itself. */
#include <stdlib.h>
#include <alloca.h>

int main(void)
{
    int *p = alloca(3 * sizeof(int));
    int *q = malloc(3 * sizeof(int));
    p[2] = q[2] = 0;
    free(q);
    return 0;
}
