/* Tests that an alloca block frees itself. Violation: it is freed explicitly. */
#include <stdlib.h>
#include <alloca.h>

int main(void)
{
    int *p = alloca(3 * sizeof(int));
    int *q = malloc(3 * sizeof(int));
    p[2] = q[2] = 0;
    free(p);
    return 0;
}
