/* Tests fgets: the limit counts the terminator. Violation: the limit is one more than the array
 * has.
 */
#include <stdio.h>
#include <string.h>

int main(void)
{
    char line[8] = "";
    if (!fgets(line, sizeof line + 1, stdin))
        return 0;
    return strlen(line) > 8;
}
