/* The last byte that a line might use keeps its old content when the line is shorter. */
#include <stdio.h>
#include <string.h>

extern void reach_error(void);

int main(void)
{
    char line[12];
    memset(line, 'x', sizeof line);
    if (!fgets(line, 6, stdin))
        return 0;
    if (line[5] == 'x')
        reach_error();
    return 0;
}
