/* Appends as much of a string to another one as there is room for. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int size = positive(), used = positive(), n = positive();
    if (used > size)
        used = size;
    char *to = malloc(size), *from = malloc(n);
    to[used - 1] = 0;
    from[n - 1] = 0;
    int length = 0;
    while (to[length])
        length++;
    int i = 0;
    while (length + i < size - 1 && from[i]) {
        to[length + i] = from[i];
        i++;
    }
    to[length + i] = 0;
    free(to);
    free(from);
    return 0;
}
