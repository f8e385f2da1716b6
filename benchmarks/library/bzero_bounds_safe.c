/* Tests bzero. */
#include <stdlib.h>
#include <strings.h>

int main(void)
{
    int *v = malloc(3 * sizeof(int));
    bzero(v, 3 * sizeof(int));
    int r = v[2];
    free(v);
    return r;
}
