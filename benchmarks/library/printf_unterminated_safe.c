/* Tests %s with a precision, which limits the reading. */
#include <stdio.h>

int main(void)
{
    char s[3] = {'a', 'b', 'c'};
    printf("%.3s\n", s);
    return 0;
}
