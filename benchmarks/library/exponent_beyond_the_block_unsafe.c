/* Tests objects that functions fill in. Violated: there is no room for the exponent. */
#include <math.h>
#include <stdlib.h>

int main(void)
{
    int *exponent = malloc(2);
    double fraction = frexp(8.0, exponent);
    free(exponent);
    return fraction > 1;
}
