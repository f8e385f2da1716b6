/* Tests that a dangling pointer may be compared and copied. */
#include <stdlib.h>

int main(void)
{
    int *p = malloc(sizeof(int));
    int *q = p;
    *p = 1;
    free(p);
    int *copy = q;
    if (copy == q && copy != NULL)
        return 0;
    return 1;
}
