/* Tests copying a whole structure out of a block. */
#include <stdlib.h>

struct triple {
    long a, b, c;
};

int main(void)
{
    struct triple *p = malloc(3 * sizeof(long));
    p->a = p->b = 1;
    struct triple copy = *p;
    free(p);
    return copy.a > 1;
}
