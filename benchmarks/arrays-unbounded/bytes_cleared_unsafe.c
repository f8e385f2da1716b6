/* Clears an area with a counter that goes down and a pointer that goes up. One byte more than there is may be cleared. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

static void clear(void *area, size_t length)
{
    char *p = area;
    while (length--)
        *p++ = 0;
}

int main(void)
{
    int size = positive(), part = positive();
    if (part > size + 1)
        return 0;
    char *area = malloc(size);
    clear(area, part);
    free(area);
    return 0;
}
