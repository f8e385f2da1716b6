/* Replaces a character of a string that is measured first. */
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
    char *text = malloc(n), wanted = (char)__VERIFIER_nondet_int();
    text[n - 1] = 0;
    int length = 0;
    while (text[length] != 0)
        length++;
    char *copy = malloc(length + 1);
    for (int i = 0; i <= length; i++)
        copy[i] = text[i] == wanted ? '_' : text[i];
    free(text);
    free(copy);
    return 0;
}
