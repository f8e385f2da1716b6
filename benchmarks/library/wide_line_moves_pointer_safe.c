/* Tests a line of wide characters: where there is one, fgetws returns its first argument, which is not the start of a block. */
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void)
{
    FILE *file = tmpfile();
    if (!file)
        return 0;
    fputws(L"a line\n", file);
    rewind(file);
    wchar_t *line = malloc(8 * sizeof *line);
    wchar_t *rest = fgetws(line + 1, 7, file);
    fclose(file);
    free(rest ? rest - 1 : line);
    return 0;
}
