/* A line ends with a zero behind its only newline. */
#include <stdio.h>
#include <string.h>

extern void reach_error(void);

int main(void)
{
    char line[12];
    memset(line, 'x', sizeof line);
    line[11] = 0;
    if (!fgets(line, 6, stdin))
        return 0;
    char *newline = strchr(line, '\n');
    if (newline && newline[1] != 0)
        reach_error();
    return 0;
}
