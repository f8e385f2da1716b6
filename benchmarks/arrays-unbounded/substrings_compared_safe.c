/* Looks for one string at every place of another one. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int positive(void)
{
    int n = __VERIFIER_nondet_int();
    return n < 1 ? 1 : n > 1000 ? 1000 : n;
}

int main(void)
{
    int m = positive(), n = positive(), found = 0;
    char *text = malloc(m), *wanted = malloc(n);
    text[m - 1] = 0;
    wanted[n - 1] = 0;
    for (int i = 0; text[i] && !found; i++) {
        int j = 0;
        while (wanted[j] && text[i + j] == wanted[j])
            j++;
        found = wanted[j] == 0;
    }
    free(text);
    free(wanted);
    return found;
}
