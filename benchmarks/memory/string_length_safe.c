/* Tests strlen on a filled array. */
#include <string.h>

int main(void)
{
    char s[4] = {'a', 'b', 'c', 0};
    return strlen(s) > 4;
}
