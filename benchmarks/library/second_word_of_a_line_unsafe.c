// Many lines have no second word.
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
        if (second || first[0] == 40)
            printf("%c", second[0]);
    }
    return 0;
}
