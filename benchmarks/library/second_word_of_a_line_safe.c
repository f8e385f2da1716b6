// The second word of a line, where there is one, ends within the line.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[100];
    if (fgets(line, sizeof line, stdin)) {
        char *first = strtok(line, " \t\n");
        if (!first)
            return 0;
        char *second = strtok(NULL, " \t\n");
        if (second)
            puts(second);
    }
    return 0;
}
