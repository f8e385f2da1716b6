// Counts the words of each line; one line too many is counted.
#include <ctype.h>
#include <stdio.h>

enum { MOST = 3 };

static int words(const char *text)
{
    int count = 0, is_within = 0;
    for (; *text; text++) {
        if (isspace((unsigned char)*text)) {
            is_within = 0;
        } else if (!is_within) {
            is_within = 1;
            count++;
        }
    }
    return count;
}

int main(void)
{
    char line[100];
    int counts[MOST], lines = 0;
    while (lines <= MOST && fgets(line, sizeof line, stdin)) {
        counts[lines] = words(line);
        lines++;
    }
    for (int i = 0; i < lines; i++)
        printf("%d\n", counts[i]);
    return 0;
}
