/* Of each line a mark is set behind its letters. BUG: a line with as many letters as there are marks has no room for it. */
#include <stdio.h>

int main(void)
{
    char line[20];
    char marks[4];
    int lines = 0;
    while (fgets(line, sizeof line, stdin)) {
        size_t letters = 0;
        for (const char *s = line; *s != '\0'; s++)
            if (letters < sizeof marks)
                letters++;
        marks[letters] = '\0';
        if (lines < 1000)
            lines++;
    }
    return lines > 0;
}
