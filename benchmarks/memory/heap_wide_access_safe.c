/* Tests an access that begins inside a block but ends outside. */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(8);
    p[0] = 1;
    p[1] = 2;
    free(p);
    return 0;
}
