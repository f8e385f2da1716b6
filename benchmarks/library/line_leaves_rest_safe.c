/* A line that is shorter than the buffer leaves the bytes behind its end alone. */
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
    if (line[6] != 'x' || line[10] != 'x')
        reach_error();
    return 0;
}
