/* Words are put one behind the other one byte too many. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char sentence[40] = "";
    char word[20];

    while (scanf("%19s", word) == 1) {
        if (strlen(sentence) + strlen(word) > sizeof sentence)
            break;
        strcat(sentence, word);
    }
    puts(sentence);
    return 0;
}
