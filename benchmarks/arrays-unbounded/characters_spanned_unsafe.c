/* Counts the leading characters of a string that are in a set, which is another string. The search goes on where the string has ended. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int m = positive(), n = positive();
    char *text = malloc(m), *set = malloc(n);
    text[m - 1] = 0;
    set[n - 1] = 0;
    size_t length = 0;
    while (text[length]) {
        const char *s = set;
        while (*s && *s != text[length])
            s++;
        if (*s)
            length++;
        length++;
    }
    free(text);
    free(set);
    return 0;
}
