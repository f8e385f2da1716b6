/* Tests bzero. Violation: one element too many is cleared. */
#include <stdlib.h>
#include <strings.h>

int main(void)
{
    int *v = malloc(3 * sizeof(int));
    bzero(v, 4 * sizeof(int));
    int r = v[2];
    free(v);
    return r;
}
