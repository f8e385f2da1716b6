/* The smallest number has none below it, and a line of input may say it. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char line[16] = "";
    long number = 0;
    if (fgets(line, sizeof line, stdin))
        number = strtol(line, 0, 10);
    if (number < -2147483648L || number > 2147483647L)
        return 0;
    int small = (int)number;
    small--;
    return small > 0;
}
