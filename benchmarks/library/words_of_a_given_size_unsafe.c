// A function reads words into a buffer of a size that its caller gives: longer ones are cut one letter too late.
#include <ctype.h>
#include <stdio.h>

static int read_word(char *word, int size)
{
    int length = 0;
    int c = getchar();
    while (c != EOF && !isalnum(c))
        c = getchar();
    for (; c != EOF && isalnum(c); c = getchar())
        if (length < size)
            word[length++] = (char)c;
    word[length] = '\0';
    return length;
}

int main(void)
{
    char word[12];
    int words = 0;
    while (read_word(word, sizeof word) > 0)
        words = words < 1000 ? words + 1 : 0;
    return words == 7;
}
