/* Looks for a byte from the end of an area on. The byte before the area is looked at. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int size = positive(), wanted = __VERIFIER_nondet_int();
    unsigned char *area = malloc(size);
    const unsigned char *p = area + size;
    size_t left = size;
    do {
        if (*--p == (unsigned char)wanted)
            break;
    } while (left-- != 0);
    free(area);
    return 0;
}
