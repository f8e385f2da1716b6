/* Tests that an alloca block ends with its function. Violation: the caller uses it. */
#include <alloca.h>
#include <stdlib.h>

static int *make(void)
{
    int *p = alloca(sizeof(int));
    *p = 1;
    return p;
}

int main(void)
{
    int *p = make();
    int r = *p;
    return r;
}
