/* Words are put one behind the other as long as there is room. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char sentence[40] = "";
    char word[20];

    while (scanf("%19s", word) == 1) {
        if (strlen(sentence) + strlen(word) + 1 > sizeof sentence)
            break;
        strcat(sentence, word);
    }
    puts(sentence);
    return 0;
}
