/* Tests a block made on each pass of a loop. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int n = __VERIFIER_nondet_int();
    for (int i = 0; i < 4; i++) {
        int *p = malloc(sizeof(int));
        *p = i;
        if (*p == n) {
            free(p);
            continue;
        }
        free(p);
    }
    return 0;
}
