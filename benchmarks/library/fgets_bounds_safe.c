/* Tests fgets: the limit counts the terminator. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[8] = "";
    if (!fgets(line, sizeof line, stdin))
        return 0;
    return strlen(line) > 8;
}
