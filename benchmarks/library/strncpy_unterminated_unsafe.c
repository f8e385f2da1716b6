/* Tests that strncpy does not terminate a string as long as its limit. Violation: strlen runs over
 * the end.
 */
#include <string.h>

int main(void)
{
    char to[4];
    strncpy(to, "long", sizeof to);
    return strlen(to) == 3;
}
