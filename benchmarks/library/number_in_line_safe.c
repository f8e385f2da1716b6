/* A number from a line of input is checked before it is an index, and one below the smallest is not computed. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char line[16] = "";
    int table[100] = {0}, number = 0;
    if (fgets(line, sizeof line, stdin))
        number = atoi(line);
    if (number < 0 || number > 99)
        return 0;
    table[number] = number - 1;
    return table[99 - number];
}
