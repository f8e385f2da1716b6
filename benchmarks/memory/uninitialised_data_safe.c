/* Tests that reading uninitialised data gives an arbitrary value and is no invalid access. */
#include <stdlib.h>

extern void reach_error(void);

int main(void)
{
    unsigned char *p = malloc(1);
    unsigned char v = *p;
    free(p);
    if (v == 256)
        reach_error();
    return 0;
}
