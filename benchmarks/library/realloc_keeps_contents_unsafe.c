/* Tests that realloc keeps the contents up to the smaller size. Violation: the element written
 * before is still there.
 */
#include <stdlib.h>

extern void reach_error(void);

static void check(int condition)
{
    if (!condition)
        reach_error();
}

int main(void)
{
    int *p = malloc(2 * sizeof(int));
    p[0] = 10;
    p[1] = 20;
    p = realloc(p, 3 * sizeof(int));
    p[2] = 30;
    check(p[0] == 10 && p[1] == 0);
    p = realloc(p, sizeof(int));
    check(p[0] == 10);
    free(p);
    return 0;
}
