/* Tests the width of %s in scanf: the terminator comes on top. */
#include <stdio.h>

int main(void)
{
    char word[8] = "";
    if (scanf("%7s", word) != 1)
        return 1;
    return word[0];
}
