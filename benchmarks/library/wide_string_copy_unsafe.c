/* Tests wcscpy and wcscmp: sizes count wide characters. Violation: the block is as long as the
 * string has characters, in bytes.
 */
#include <stdlib.h>
#include <wchar.h>
#include <string.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    wchar_t *s = malloc((wcslen(L"wide") + 1));
    wcscpy(s, L"wide");
    free(s);
    return 0;
}
