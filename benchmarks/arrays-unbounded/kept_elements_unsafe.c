/* Keeps elements that pass a test, in a second array of the same length. When all are kept, the last one stands after the block. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int count = positive();
    int *all = malloc(count * sizeof *all), *kept = malloc(count * sizeof *kept);
    int k = 0;
    for (int i = 0; i < count; i++) {
        all[i] = __VERIFIER_nondet_int();
        if (all[i] > 0)
            kept[++k] = all[i];
    }
    free(all);
    free(kept);
    return 0;
}
