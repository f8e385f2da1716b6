/* Tests variables of the environment: each has a text of its own, and keeps it. */
#include <stdlib.h>

extern void reach_error(void);

int main(void)
{
    char *first = getenv("FIRST"), *second = getenv("SECOND");
    if (!first || !second || first[0] != 'x')
        return 0;
    if (second[0] == 'y' && first[0] != 'x')
        reach_error();
    if (getenv("FIRST") != first)
        reach_error();
    return 0;
}
