/* Tests what a printed number looks like. */
#include <stdio.h>

extern void reach_error(void);

int main(void)
{
    char text[4];
    sprintf(text, "%d", 5);
    if (text[0] != '5')
        reach_error();
    return 0;
}
