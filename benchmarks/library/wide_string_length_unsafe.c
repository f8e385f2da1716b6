/* Tests wcslen on a heap string. Violation: the terminator is missing. */
#include <stdlib.h>
#include <wchar.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    wchar_t *s = malloc(4 * sizeof(wchar_t));
    s[0] = s[1] = s[2] = L'a';
    s[3] = L'b';
    check(wcslen(s) > 0);
    free(s);
    return 0;
}
