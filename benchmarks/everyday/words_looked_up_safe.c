// Adds up what letters of words are worth; a byte is a number from 0 to 255.
#include <stdio.h>

static int worth[256];

static int value(const char *word)
{
    int sum = 0;
    for (int i = 0; word[i] != '\0'; i++) {
        int letter = worth[(unsigned char)word[i]];
        if (letter == 0)
            return -1;
        sum += letter;
    }
    return sum;
}

int main(void)
{
    char word[32];
    while (scanf("%31s", word) == 1) {
        int sum = value(word);
        if (sum < 0)
            printf("%s?\n", word);
        else
            printf("%s %d\n", word, sum);
    }
    return 0;
}
