/* Removes characters from a string in place and ends it again. The end is put one place too late. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int n = positive();
    char *text = malloc(n);
    text[n - 1] = 0;
    char *to = text;
    for (const char *from = text; *from; from++) {
        if (*from != ' ')
            *to++ = *from;
    }
    to[1] = 0;
    free(text);
    return 0;
}
