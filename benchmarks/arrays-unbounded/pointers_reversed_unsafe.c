/* Reverses bytes of any number with a pointer at each end. The right pointer starts behind the end. */
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
    char *a = malloc(n);
    for (int i = 0; i < n; i++)
        a[i] = (char)i;
    char *left = a, *right = a + n;
    while (left < right) {
        char t = *left;
        *left++ = *right;
        *right = t;
        right--;
    }
    free(a);
    return 0;
}
