/* Tests memmove downwards and upwards inside an array. Violation: the upward move takes the old
 * elements, not the overwritten ones.
 */
#include <string.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int v[5] = {1, 2, 3, 4, 5};
    memmove(v, v + 1, 4 * sizeof(int));
    check(v[0] == 2 && v[3] == 5 && v[4] == 5);
    memmove(v + 1, v, 3 * sizeof(int));
    check(v[1] == 2 && v[2] == 3 && v[3] == 2);
    return 0;
}
