/* Tests %s with a precision, which limits the reading. Violation: without it the unterminated
 * array is left.
 */
#include <stdio.h>

int main(void)
{
    char s[3] = {'a', 'b', 'c'};
    printf("%s\n", s);
    return 0;
}
