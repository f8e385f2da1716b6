/* Tests flags, widths and precisions of printed numbers. */
#include <stdio.h>
#include <string.h>
extern void reach_error(void);
int main(void)
{
    char text[32];
    int n = snprintf(text, sizeof text, "%+d|%#x|%-5d|%05.1f", 7, 31, 42, 2.25);
    if (n != 19 || strncmp(text, "+7|0x1f|42   |002.2", 19) != 0)
        reach_error();
    snprintf(text, sizeof text, "+%#.3x", 31);
    if (strcmp(text, "+0x01f") != 0)
        reach_error();
    return 0;
}
