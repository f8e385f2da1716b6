/* Tests strlen of a heap string. */
#include <stdlib.h>
#include <string.h>

int main(void)
{
    char *s = malloc(3);
    s[0] = 'o';
    s[1] = 'k';
    s[2] = 0;
    size_t n = strlen(s);
    free(s);
    return n == 2;
}
