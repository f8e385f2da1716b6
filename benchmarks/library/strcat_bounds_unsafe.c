/* Tests strcat: it appends at the terminator. Violation: there is no room for the terminator. */
#include <stdlib.h>
#include <string.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    char *s = malloc(6);
    strcpy(s, "abc");
    strcat(s, "def");
    check(strcmp(s, "abcdef") == 0);
    free(s);
    return 0;
}
