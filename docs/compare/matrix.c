/* A matrix as an array of rows, as large as the input wants. */
#include <stdlib.h>

extern unsigned __VERIFIER_nondet_uint(void);

static void release(int **rows, unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        free(rows[i]);
    free(rows);
}

static int **make(unsigned height, unsigned width)
{
    int **rows = malloc(height * sizeof *rows);
    if (rows == NULL)
        return NULL;
    for (unsigned i = 0; i < height; i++) {
        rows[i] = calloc(width, sizeof **rows);
        if (rows[i] == NULL) {
            release(rows, i);
            return NULL;
        }
    }
    return rows;
}

int main(void)
{
    unsigned height = __VERIFIER_nondet_uint(), width = __VERIFIER_nondet_uint();
    if (height == 0 || height > 4 || width == 0 || width > 4)
        return 1;
    int **matrix = make(height, width);
    if (matrix == NULL)
        return 1;
    for (unsigned i = 0; i < height && i < width; i++)
        matrix[i][i] = 1;
    int corner = matrix[height - 1][width - 1];
    release(matrix, height);
    return corner;
}
