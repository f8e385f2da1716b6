/* Tests the size of the block that strndup makes. Violation: the copy has two bytes and a
 * terminator only.
 */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = strndup("abcdef", 2);
    char c = s[3];
    free(s);
    return c;
}
