/* Copies as much of a string as there is room for, and ends the copy. No room is left for the end of the copy. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int room = positive(), size = positive();
    char *to = malloc(room), *from = malloc(size);
    from[size - 1] = 0;
    char *d = to;
    const char *s = from;
    size_t n = room;
    while (n-- != 0) {
        if ((*d++ = *s++) == 0)
            break;
    }
    if (n == 0)
        *d = 0;
    free(to);
    free(from);
    return 0;
}
