/* Fills an array through a pointer while an index counts. */
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
    short *values = malloc(count * sizeof *values);
    short *p = values;
    for (int i = 0; i < count; i++)
        *p++ = (short)i;
    p[-1] = 0;
    free(values);
    return 0;
}
