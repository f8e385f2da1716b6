// The first word of each line is compared with commands; it is kept where there may be no room.
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[60], last[8] = "";
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    char *command = strtok(line, " \t\r\n");
    if (command == NULL)
        return 2;
    if (strcmp(command, "count") == 0)
        return 3;
    strcpy(last, command);
    return last[0] == 'x';
}
