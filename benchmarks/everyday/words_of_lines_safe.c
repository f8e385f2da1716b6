/* Counts the words of all lines. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[128];
    unsigned long words = 0;
    while (fgets(line, sizeof line, stdin) != NULL) {
        char *word = strtok(line, " \n");
        while (word != NULL) {
            if (word[0] != '#')
                words++;
            word = strtok(NULL, " \n");
        }
    }
    printf("%lu\n", words);
    return 0;
}
