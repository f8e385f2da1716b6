/* Tests the size of the block that strndup makes. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = strndup("abcdef", 2);
    char c = s[2];
    free(s);
    return c;
}
