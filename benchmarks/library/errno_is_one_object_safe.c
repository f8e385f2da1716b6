/* Tests errno: one object, set on failure and left alone otherwise. */
#include <errno.h>
#include <stdlib.h>

extern void reach_error(void);

int main(void)
{
    errno = 0;
    long value = strtol("99999999999999999999", 0, 10);
    if (errno != ERANGE || value <= 0)
        reach_error();
    errno = 7;
    value = strtol("12", 0, 10);
    if (errno != 7 || value != 12)
        reach_error();
    return 0;
}
