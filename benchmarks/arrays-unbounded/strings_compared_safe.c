/* Compares two strings whose lengths are not related. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int first_size = positive(), second_size = positive();
    char *first = malloc(first_size), *second = malloc(second_size);
    first[first_size - 1] = 0;
    second[second_size - 1] = 0;
    const char *p = first, *q = second;
    while (*p && *p == *q) {
        p++;
        q++;
    }
    int order = *p - *q;
    free(first);
    free(second);
    return order > 0;
}
