/* Tests a block freed by an atexit handler. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static char *buffer;

static void release(void)
{
    free(buffer);
}

int main(void)
{
    int n = __VERIFIER_nondet_int();
    atexit(release);
    buffer = malloc(8);
    if (n > 5)
        exit(0);
    return 0;
}
