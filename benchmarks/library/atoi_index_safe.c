/* Tests that a number read from outside is arbitrary. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int table[5] = {0};
    char line[20] = "";
    if (!fgets(line, sizeof line, stdin))
        return 0;
    int i = atoi(line);
    if (i < 0 || i >= 5)
        return 1;
    table[i] = 1;
    return table[0];
}
