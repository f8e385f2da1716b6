/* Tests streams that are closed once. */
#include <stdio.h>

int main(void)
{
    FILE *in = fopen("in", "r"), *out = fopen("out", "w");
    int c = 0;
    while (in && out && (c = fgetc(in)) != EOF)
        fputc(c, out);
    if (in)
        fclose(in);
    if (out)
        fclose(out);
    return 0;
}
