/* Tests strlen on a filled array. Violation: the array has no terminating zero. */
#include <string.h>

int main(void)
{
    char s[4] = {'a', 'b', 'c', 'd'};
    return strlen(s) > 4;
}
