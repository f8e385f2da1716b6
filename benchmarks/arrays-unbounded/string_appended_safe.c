/* Appends a string to another one; the block has room for both. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int first = positive(), second = positive();
    char *to = malloc(first + second - 1), *from = malloc(second);
    to[first - 1] = 0;
    from[second - 1] = 0;
    char *d = to;
    while (*d)
        d++;
    for (const char *s = from; (*d = *s) != 0; s++)
        d++;
    free(to);
    free(from);
    return 0;
}
