/* Tests that strncpy does not terminate a string as long as its limit. */
#include <string.h>

int main(void)
{
    char to[4];
    strncpy(to, "long", sizeof to);
    to[3] = 0;
    return strlen(to) == 3;
}
