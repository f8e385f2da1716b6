/* Tests how long a printed fraction is. */
#include <stdio.h>
int main(void)
{
    char text[10];
    return sprintf(text, "%f", 1.0) + sprintf(text, "%.2e", -0.5) - 17;
}
