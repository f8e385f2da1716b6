/* Tests an element count that is multiplied by the element size in 32 bits. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned int count = __VERIFIER_nondet_int();
    if (count < 2 || count > 100)
        return 0;
    int *v = malloc(count * sizeof(int));
    v[1] = 1;
    free(v);
    return 0;
}
