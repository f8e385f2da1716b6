/* Tests strncmp where strcmp must not be used. Violation: neither of the two equal arrays is
 * terminated.
 */
#include <string.h>

int main(void)
{
    char a[3] = {'a', 'b', 'c'}, b[3] = {'a', 'b', 'c'};
    return strcmp(a, b);
}
