/* Of each line a mark is set behind its letters, or at the end of the marks where it has more letters than those; lines are counted. */
#include <stdio.h>

int main(void)
{
    char line[100];
    char marks[16];
    int lines = 0;
    while (fgets(line, sizeof line, stdin)) {
        size_t letters = 0;
        for (const char *s = line; *s != '\0'; s++)
            if (letters < sizeof marks - 1)
                letters++;
        marks[letters] = '\0';
        if (lines < 1000)
            lines++;
    }
    return lines > 0;
}
