/* Tests strchr and strrchr: first and last place, null if there is none, the terminator counts.
 * Violation: the result for a byte that does not occur is null.
 */
#include <string.h>

extern char __VERIFIER_nondet_char(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    const char *s = "abcabc";
    check(strchr(s, 'b') == s + 1 && strrchr(s, 'b') == s + 4);
    check(strchr(s, 0) == s + 6 && strrchr(s, 'x') == 0);
    char c = __VERIFIER_nondet_char();
    char *p = strchr(s, c);
    check(*p == c);
    return 0;
}
