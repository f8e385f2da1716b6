/* Tests that handlers run at exit as well, while the globals live. Violation: the handler uses a
 * block that was freed.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

static int *state;

static void finish(void)
{
    if (*state < 0)
        reach_error();
}

int main(void)
{
    static int zero;
    state = malloc(sizeof(int));
    *state = 1;
    atexit(finish);
    int *p = state;
    free(p);
    if (__VERIFIER_nondet_int())
        exit(1);
    return 0;
}
