// A function reads lines of any length: there is always room for the zero behind them.
#include <stdio.h>
#include <stdlib.h>

static char *read_line(void)
{
    int c = getchar();
    if (c == EOF)
        return NULL;
    size_t room = 16, length = 0;
    char *line = malloc(room);
    if (line == NULL)
        exit(1);
    for (; c != EOF && c != '\n'; c = getchar()) {
        if (length + 1 == room) {
            char *longer = realloc(line, 2 * room);
            if (longer == NULL)
                exit(1);
            line = longer;
            room *= 2;
        }
        line[length++] = (char)c;
    }
    line[length] = '\0';
    return line;
}

int main(void)
{
    char *line;
    while ((line = read_line()) != NULL) {
        puts(line);
        free(line);
    }
    return 0;
}
