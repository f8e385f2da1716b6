/* Tests an opaque file handle: opening may fail, closing ends it. */
#include <stdio.h>

int main(void)
{
    FILE *f = fopen("no-such-file", "r");
    if (f == NULL)
        return 1;
    char line[10];
    int n = 0;
    while (n < 10 && fgets(line, sizeof line, f))
        n++;
    fclose(f);
    return n;
}
