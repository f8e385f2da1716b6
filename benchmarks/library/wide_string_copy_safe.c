/* Tests wcscpy and wcscmp: sizes count wide characters. */
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
    wchar_t *s = malloc((wcslen(L"wide") + 1) * sizeof(wchar_t));
    wcscpy(s, L"wide");
    check(wcscmp(s, L"wide") == 0 && s[4] == 0);
    free(s);
    return 0;
}
