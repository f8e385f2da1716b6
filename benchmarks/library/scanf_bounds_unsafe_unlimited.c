/* Tests the width of %s in scanf: the terminator comes on top. Violation: a word of any length is
 * read.
 */
#include <stdio.h>

int main(void)
{
    char word[8] = "";
    if (scanf("%s", word) != 1)
        return 1;
    return word[0];
}
