/* Copies a string into a block that is at least as long. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int size = positive();
    int room = size + positive() - 1;
    char *to = malloc(room), *from = malloc(size);
    from[size - 1] = 0;
    char *d = to;
    const char *s = from;
    while ((*d++ = *s++) != 0)
        ;
    free(to);
    free(from);
    return 0;
}
