/* Tests an element count that is multiplied by the element size in 32 bits. Violation: the product
 * wraps to 4 for 0x40000001.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    unsigned int count = __VERIFIER_nondet_int();
    if (count != 2 && count != 0x40000001)
        return 0;
    int *v = malloc(count * sizeof(int));
    v[1] = 1;
    free(v);
    return 0;
}
