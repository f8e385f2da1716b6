/* Tests that a pointer one past the end of a block keeps it tracked. Violation: the end pointer is
 * reused for another block.
 */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(3 * sizeof(int));
    int *end = p + 3;
    for (; p != end; p++)
        *p = 0;
    p = NULL;
    end = malloc(sizeof(int));
    free(end);
    return 0;
}
