/* Cuts a text of any length at a sign and walks to its end, which is the sign's place or where it was before. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int n = positive();
    char *text = malloc(n + 1);
    for (int i = 0; i < n; i++)
        text[i] = __VERIFIER_nondet_char();
    text[n] = '\0';
    char *sign = strchr(text, '#');
    if (sign)
        *sign = '\0';
    int length = 0;
    while (text[length])
        length++;
    free(text);
    return length == 3;
}
