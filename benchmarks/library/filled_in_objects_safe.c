/* Tests objects that functions fill in: the parts of a date and the fraction of a number. */
#include <math.h>
#include <stdlib.h>
#include <time.h>

int main(void)
{
    time_t now = time(NULL);
    struct tm parts;
    double whole;
    int *exponent = malloc(sizeof *exponent);
    if (gmtime_r(&now, &parts) && frexp(modf(1.5, &whole), exponent) > 1)
        parts.tm_year = *exponent;
    free(exponent);
    return 0;
}
