/* Fills a matrix of any size, an array of pointers to its rows. */
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
    int *row = malloc(columns * sizeof *row);
    int **table = malloc(rows * sizeof *table);
    for (int i = 0; i < rows; i++)
        table[i] = row;
    for (int i = 0; i < columns; i++)
        row[i] = 0;
    free(table);
    free(row);
    return 0;
}
