/* Tests strstr. Violation: the part that is found first starts at 2. */
#include <string.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char s[] = "xxabab";
    check(strstr(s, "ab") == s + 4);
    check(strstr(s, "") == s && strstr(s, "abc") == 0);
    s[2] = 'x';
    check(strstr(s, "ab") == s + 4);
    return 0;
}
