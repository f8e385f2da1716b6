// Lines are split into fields, of which a line may have more than the array has room for.
#include <stdio.h>
#include <string.h>

#define MOST 32

static int split(char *line, char *fields[])
{
    int count = 0;
    char *rest = line;

    for (;;) {
        fields[count++] = rest;
        rest = strchr(rest, ';');
        if (rest == NULL)
            break;
        *rest++ = '\0';
    }
    return count;
}

int main(void)
{
    char line[256];
    char *fields[MOST];

    while (fgets(line, sizeof line, stdin) != NULL) {
        int count = split(line, fields);
        for (int i = 0; i < count; i++)
            puts(fields[i]);
    }
    return 0;
}
