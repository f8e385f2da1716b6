/* Tests that strtol's end pointer points into the string, at most at its terminator. */
#include <stdlib.h>

int main(void)
{
    char digits[3] = "12";
    char *end;
    long n = strtol(digits, &end, 10);
    if (n > 100)
        return 1;
    return end[0];
}
