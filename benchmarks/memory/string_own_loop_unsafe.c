/* Tests a hand-written string walk over a block of any length. Violation: the terminator is
 * missing when no zero byte came in.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern char __VERIFIER_nondet_char(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    if (n < 1 || n > 5)
        return 0;
    char *s = malloc(n);
    for (int i = 0; i < n; i++)
        s[i] = __VERIFIER_nondet_char();
    char *p = s;
    while (*p)
        p++;
    free(s);
    return 0;
}
