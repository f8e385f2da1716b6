/* Copies the first word of a line and prints it backwards. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>

static char *first_word(const char *line)
{
    size_t length = 0;
    while (line[length] != '\0' && !isspace((unsigned char)line[length]))
        length++;
    char *word = malloc(length);
    if (word == NULL)
        return NULL;
    for (size_t i = 0; i < length; i++)
        word[i] = line[i];
    word[length] = '\0';
    return word;
}

static void reverse(char *word)
{
    size_t length = 0;
    while (word[length] != '\0')
        length++;
    for (size_t i = 0; i < length / 2; i++) {
        char c = word[i];
        word[i] = word[length - 1 - i];
        word[length - 1 - i] = c;
    }
}

int main(void)
{
    char line[16];
    if (fgets(line, sizeof line, stdin) == NULL)
        return 1;
    char *word = first_word(line);
    if (word == NULL)
        return 1;
    reverse(word);
    puts(word);
    free(word);
    return 0;
}
