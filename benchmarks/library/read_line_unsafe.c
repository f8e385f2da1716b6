/* Tests getline: the block is there whether a line was read or not. Violated: it is lost where none was. */
#include <stdio.h>
#include <stdlib.h>

int main(void)
{
    char *line = 0;
    size_t size = 0;
    if (getline(&line, &size, stdin) < 0) {
        line = 0;
        return 1;
    }
    int first = line[0];
    free(line);
    return first == 'x';
}
