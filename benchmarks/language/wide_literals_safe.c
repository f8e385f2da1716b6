/* Tests wide, UTF-8, UTF-16 and UTF-32 literals and universal character names. */
extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

typedef __WCHAR_TYPE__ wchar_t;

int main(void)
{
    wchar_t w[] = L"a\u00e9";
    check(w[1] == 0xe9 && w[2] == 0);
    check(sizeof L"ab" == 12);
    check(sizeof u"ab" == 6 && sizeof U"ab" == 12);
    const char *bytes = u8"\u00e9";
    check((unsigned char)bytes[0] == 0xc3 && (unsigned char)bytes[1] == 0xa9 && bytes[2] == 0);
    check(L'\xff' == 255);
    return 0;
}
