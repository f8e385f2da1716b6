/* Counts the words of all lines, and takes for granted that each has one. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[128];
    unsigned long words = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *word = strtok(line, " \n");
        do {
            if (word[0] != '#')
                words++;
            word = strtok(NULL, " \n");
        } while (word != NULL);
    }
    printf("%lu\n", words);
    return 0;
}
