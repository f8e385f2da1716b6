/* Tests abort with and without a live block. Violation: memory cleanup; the block is still
 * tracked, so memory safety holds.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    int *p = malloc(sizeof(int));
    *p = __VERIFIER_nondet_int();
    if (*p < 0) {
        abort();
    }
    free(p);
    return 0;
}
