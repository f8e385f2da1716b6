/* Tests a block that only an alloca block points to. */
#include <stdlib.h>
#include <alloca.h>

static void work(void)
{
    int **slot = alloca(2 * sizeof(int *));
    slot[0] = NULL;
    slot[1] = malloc(sizeof(int));
    free(slot[1]);
}

int main(void)
{
    work();
    return 0;
}
