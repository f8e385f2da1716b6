/* Tests that a pointer copied as bytes keeps its block tracked. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char store[sizeof(int *)];
    int *p = malloc(sizeof(int));
    memcpy(store, &p, sizeof p);
    p = NULL;
    memcpy(&p, store, sizeof p);
    *p = 1;
    free(p);
    return 0;
}
