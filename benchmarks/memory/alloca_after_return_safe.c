/* Tests that an alloca block ends with its function. */
#include <alloca.h>
#include <stdlib.h>

static int *make(void)
{
    int *p = malloc(sizeof(int));
    *p = 1;
    return p;
}

int main(void)
{
    int *p = make();
    int r = *p;
    free(p);
    return r;
}
