/* Tests a flattened matrix of 2 rows and 5 columns. Violation: rows and columns are swapped in the
 * index.
 */
#include <stdlib.h>

int main(void)
{
    int rows = 2, cols = 5;
    int *m = malloc(rows * cols * sizeof(int));
    for (int i = 0; i < rows; i++)
        for (int j = 0; j < cols; j++)
            m[j * cols + i] = i + j;
    free(m);
    return 0;
}
