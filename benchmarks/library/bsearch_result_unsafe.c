/* Tests that bsearch returns null or an element. Violation: the result is used without a check. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static int compare(const void *key, const void *element)
{
    int k = *(const int *)key, e = *(const int *)element;
    return (k > e) - (k < e);
}

int main(void)
{
    int v[4] = {1, 3, 5, 7};
    int key = __VERIFIER_nondet_int();
    int *p = bsearch(&key, v, 4, sizeof(int), compare);
    *p = 0;
    return 0;
}
