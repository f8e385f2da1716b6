/* Fills a matrix of any size, which is one block, row by row. The rows are one element apart too far. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int rows = positive(), columns = positive();
    int *cells = malloc((size_t)rows * columns * sizeof *cells);
    for (int i = 0; i < rows; i++) {
        for (int j = 0; j < columns; j++)
            cells[i * (columns + 1) + j] = i - j;
    }
    free(cells);
    return 0;
}
