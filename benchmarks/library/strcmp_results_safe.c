/* Tests strcmp and strncmp: sign, prefix order, bytes as unsigned. */
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
    char s[4] = "abc";
    check(strcmp(s, "abc") == 0 && strcmp("ab", s) < 0 && strcmp(s, "ab") > 0);
    check(strncmp(s, "abX", 2) == 0 && strncmp(s, "abX", 0) == 0);
    check(strcmp("\x80", "a") > 0);
    s[2] = __VERIFIER_nondet_char();
    check((strcmp(s, "abc") == 0) == (s[2] == 'c'));
    return 0;
}
