/* Tests that reading uninitialised data gives an arbitrary value and is no invalid access.
 * Violation: the value may be 7 or 190.
 */
#include <stdlib.h>

extern void reach_error(void);

int main(void)
{
    unsigned char *p = malloc(1);
    unsigned char v = *p;
    free(p);
    if (v == 7 || v == 190)
        reach_error();
    return 0;
}
