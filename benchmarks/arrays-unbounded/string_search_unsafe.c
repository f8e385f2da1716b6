/* Looks for a byte in a string of any length. The end of the string is no end of the search: an access after the block. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

static const char *find(const char *s, int wanted)
{
    while (*s != (char)wanted)
        s++;
    return *s == (char)wanted ? s : NULL;
}

int main(void)
{
    int size = positive();
    char *text = malloc(size);
    text[size - 1] = '\0';
    find(text, __VERIFIER_nondet_int());
    free(text);
    return 0;
}
