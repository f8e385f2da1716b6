/* Tests a loop that runs down to the start of a block. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *v = malloc(4 * sizeof(int));
    int i = 3;
    while (i >= 0) {
        v[i] = __VERIFIER_nondet_int();
        i--;
    }
    v[i + 1] = 0;
    free(v);
    return 0;
}
