/* Tests blocks kept in an array of pointers. Violation: an entry may be overwritten by null. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *v[3];
    for (int i = 0; i < 3; i++)
        v[i] = malloc(sizeof(int));
    int k = __VERIFIER_nondet_int();
    if (k >= 0 && k < 3) {
        v[k] = NULL;
    }
    for (int i = 0; i < 3; i++)
        free(v[i]);
    return 0;
}
