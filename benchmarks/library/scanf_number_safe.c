/* Tests that scanf leaves an arbitrary number. */
#include <stdio.h>

extern void reach_error(void);

int main(void)
{
    int n = 0;
    if (scanf("%d", &n) == 1 && n == 7)
        n = 8;
    if (n == 7)
        n = 0;
    if (n == 7)
        reach_error();
    return 0;
}
