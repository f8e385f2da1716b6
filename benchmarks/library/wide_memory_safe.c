/* Tests wmemset and wmemcpy: lengths count wide characters. */
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
    wchar_t *v = malloc(3 * sizeof(wchar_t));
    wmemset(v, L'x', 3);
    wchar_t w[2];
    wmemcpy(w, v + 1, 2);
    check(w[1] == L'x');
    free(v);
    return 0;
}
