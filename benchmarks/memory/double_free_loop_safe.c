/* Tests freeing the elements of an array of pointers. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *v[3];
    for (int i = 0; i < 3; i++)
        v[i] = malloc(sizeof(int));
    if (__VERIFIER_nondet_int()) {
        int *t = v[0];
        v[0] = v[2];
        v[2] = t;
        if (v[2] != t)
            free(t);
    }
    for (int i = 0; i < 3; i++)
        free(v[i]);
    return 0;
}
