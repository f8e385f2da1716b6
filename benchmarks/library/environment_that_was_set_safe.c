/* Tests setenv, with and without replacing, and unsetenv. */
#include <stdlib.h>
#include <string.h>

extern void reach_error(void);

int main(void)
{
    if (setenv("COLOUR", "blue", 1))
        return 0;
    setenv("COLOUR", "red", 0);
    char *value = getenv("COLOUR");
    if (!value || strcmp(value, "blue") != 0)
        reach_error();
    unsetenv("COLOUR");
    if (getenv("COLOUR"))
        reach_error();
    return 0;
}
