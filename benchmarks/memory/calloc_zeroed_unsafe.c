/* Tests that calloc clears the block and multiplies its arguments. Violation: only two of the
 * three entries fit.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int **v = calloc(2, sizeof(int *));
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 3)
        v[i] = malloc(sizeof(int));
    for (int k = 0; k < 3; k++)
        if (v[k])
            free(v[k]);
    free(v);
    return 0;
}
