/* Tests a pointer that starts at a static buffer and moves to the heap when more room is needed.
 * Violation: the static buffer is freed.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static char small[8];

int main(void)
{
    char *buffer = small;
    int n = __VERIFIER_nondet_int();
    if (n > 8)
        buffer = malloc(n);
    buffer[7] = 0;
    if (buffer)
        free(buffer);
    return 0;
}
