/* Tests a word that sscanf takes from a text. */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char word[8], copy[4];
    if (sscanf("  tea  time", "%7s", word) != 1)
        return 1;
    strcpy(copy, word);
    return copy[0];
}
