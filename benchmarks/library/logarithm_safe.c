/* Tests that logarithms are known as closely as libraries agree on them. */
#include <math.h>
extern void reach_error(void);
int main(void)
{
    double x = log(6.0);
    if (!(x > 1.7917 && x < 1.8) || fmod(-7.5, 2.0) != -1.5 || nextafter(1.0, 2.0) == 1.0)
        reach_error();
    return 0;
}
