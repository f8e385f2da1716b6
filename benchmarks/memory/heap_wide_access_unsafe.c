/* Tests an access that begins inside a block but ends outside. Violation: the second int needs
 * bytes 4 to 7 of a block of 6.
 */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(6);
    p[0] = 1;
    p[1] = 2;
    free(p);
    return 0;
}
