/* Tests strncat: at most n bytes and always a terminator. Violation: the terminator falls behind
 * the array.
 */
#include <string.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char s[6] = "abc";
    strncat(s, "defgh", 3);
    check(s[4] == 'e' && s[5] == 0);
    return 0;
}
