/* Tests that a whole structure is taken down. Violation: the rows of the table are not freed. */
#include <stdlib.h>

int main(void)
{
    int **rows = malloc(3 * sizeof(int *));
    for (int i = 0; i < 3; i++)
        rows[i] = calloc(4, sizeof(int));
    rows[2][3] = 1;
    free(rows);
    return 0;
}
