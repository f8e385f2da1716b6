/* Tests memset over an array of structures. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

struct cell {
    int *owner;
    int n;
};

int main(void)
{
    struct cell *v = malloc(3 * sizeof(struct cell));
    memset(v, 0, 3 * sizeof(*v));
    int i = __VERIFIER_nondet_int();
    if (i >= 0 && i < 3 && v[i].owner)
        *v[i].owner = 1;
    free(v);
    return 0;
}
