/* Tests how long a printed fraction is. Violated: the zero at the end does not fit. */
#include <stdio.h>
int main(void)
{
    char text[9];
    return sprintf(text, "%f", 1.0) + sprintf(text, "%.2e", -0.5) - 17;
}
