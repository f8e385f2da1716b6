/* Tests that scanf leaves an arbitrary number. Violation: the number may be 7. */
#include <stdio.h>

extern void reach_error(void);

int main(void)
{
    int n = 0;
    if (scanf("%d", &n) == 1 && n == 7)
        reach_error();
    return 0;
}
