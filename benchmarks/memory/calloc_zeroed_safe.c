/* Tests that calloc clears the block and multiplies its arguments. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int **v = calloc(3, sizeof(int *));
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 3)
        v[i] = malloc(sizeof(int));
    for (int k = 0; k < 3; k++)
        if (v[k])
            free(v[k]);
    free(v);
    return 0;
}
