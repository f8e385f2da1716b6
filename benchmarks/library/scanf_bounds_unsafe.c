/* Tests the width of %s in scanf: the terminator comes on top. Violation: the terminator of an 8
 * character word is written behind the array.
 */
#include <stdio.h>

int main(void)
{
    char word[8] = "";
    if (scanf("%8s", word) != 1)
        return 1;
    return word[0];
}
