// A word that is longer than a row is copied piece by piece.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static char row[65];
static size_t width = 48;

static void print(const char *word, size_t length)
{
    while (length > width) {
        memcpy(row, word, width);
        row[width] = '\0';
        puts(row);
        word += width;
        length -= width;
    }
    memcpy(row, word, length);
    row[length] = '\0';
    puts(row);
}

int main(int argc, char **argv)
{
    char word[200];

    if (argc > 1) {
        long asked = strtol(argv[1], NULL, 10);
        if (asked < 8 || asked > 64)
            return 1;
        width = asked;
    }
    while (scanf("%199s", word) == 1)
        print(word, strlen(word));
    return 0;
}
