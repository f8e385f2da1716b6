/* Tests that a pointer one past the end of a block keeps it tracked. */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(3 * sizeof(int));
    int *end = p + 3;
    for (; p != end; p++)
        *p = 0;
    p = NULL;
    free(end - 3);
    return 0;
}
