/* Tests conversions of sscanf on a known text. */
#include <stdio.h>

extern void reach_error(void);

int main(void)
{
    int day, month, length = 0;
    char kind[4];
    int stored = sscanf("17.4 abc;", "%d.%d %3[a-c]%n", &day, &month, kind, &length);
    if (stored != 3 || day != 17 || month != 4 || kind[2] != 'c' || length != 8)
        reach_error();
    return 0;
}
