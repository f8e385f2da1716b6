/* Tests wide output: the characters and their terminator have to fit. Violated: the size is one more than there is room for. */
#include <wchar.h>

int main(void)
{
    wchar_t text[5];
    return swprintf(text, 6, L"%ls", L"hello") < 0;
}
