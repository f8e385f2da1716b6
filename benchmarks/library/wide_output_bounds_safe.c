/* Tests wide output: the characters and their terminator have to fit, otherwise nothing but an error comes of it. */
#include <wchar.h>

extern void reach_error(void);

int main(void)
{
    wchar_t text[6], number[6];
    if (swprintf(text, 6, L"%ls", L"hello") != 5 || swprintf(number, 6, L"%d", 123456) >= 0)
        reach_error();
    wprintf(L"%ls, %s\n", text, "world");
    return 0;
}
