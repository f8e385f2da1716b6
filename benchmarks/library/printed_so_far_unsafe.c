/* Tests the count that printf stores. Violated: five characters were printed. */
#include <stdio.h>

extern void reach_error(void);

int main(void)
{
    int before = 5, x = 250;
    printf("<%d>%n\n", x, &before);
    if (before == 5)
        reach_error();
    return 0;
}
