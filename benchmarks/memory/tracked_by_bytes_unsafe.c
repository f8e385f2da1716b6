/* Tests that a pointer copied as bytes keeps its block tracked. Violation: the bytes are cleared. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char store[sizeof(int *)];
    int *p = malloc(sizeof(int));
    memcpy(store, &p, sizeof p);
    p = NULL;
    memset(store, 0, sizeof store);
    return 0;
}
