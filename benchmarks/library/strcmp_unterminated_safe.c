/* Tests strncmp where strcmp must not be used. */
#include <string.h>

int main(void)
{
    char a[3] = {'a', 'b', 'c'}, b[3] = {'a', 'b', 'c'};
    return strncmp(a, b, 3);
}
