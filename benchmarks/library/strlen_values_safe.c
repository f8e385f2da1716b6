/* Tests strlen and strnlen: bytes before the first zero. */
#include <string.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char s[8] = "abcdef";
    check(strlen(s) == 6 && strlen("") == 0 && strlen("a\0b") == 1);
    check(strnlen(s, 3) == 3 && strnlen(s, 7) == 6);
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 6) {
        s[i] = 0;
        check(strlen(s) == (size_t)i);
    }
    return 0;
}
