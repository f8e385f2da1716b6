/* Tests printed text that is much shorter than the size claims. */
#include <stdio.h>

int main(void)
{
    char text[8];
    snprintf(text, 100, "%.1f", 1.0);
    return 0;
}
