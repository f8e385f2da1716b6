/* Tests a triangle: row i has i + 1 elements. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *rows[4];
    for (int i = 0; i < 4; i++) {
        rows[i] = malloc((i + 1) * sizeof(int));
        for (int j = 0; j <= i; j++)
            rows[i][j] = i * j;
    }
    int k = __VERIFIER_nondet_int();
    int r = 0;
    if (k >= 0 && k <= 3)
        r = rows[3][k];
    for (int i = 0; i < 4; i++)
        free(rows[i]);
    return r;
}
