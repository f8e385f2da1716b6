/* Tests that a number read from outside is arbitrary. Violation: it is used as an index unchecked. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    int table[5] = {0};
    char line[20] = "";
    if (!fgets(line, sizeof line, stdin))
        return 0;
    int i = atoi(line);
    table[i] = 1;
    return table[0];
}
