/* Tests conversions between bytes and wide characters. Violated: the zero at the end needs room, too. */
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

int main(void)
{
    const char *text = "wide";
    size_t n = mbstowcs(0, text, 0);
    wchar_t *wide = malloc((n) * sizeof(wchar_t));
    mbstowcs(wide, text, n + 1);
    char back[5];
    wcstombs(back, wide, sizeof back);
    int same = wcslen(wide) == strlen(back);
    free(wide);
    return !same;
}
