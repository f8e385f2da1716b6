/* Tests a default string replaced by a heap copy. */
#include <stdlib.h>
#include <string.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *name = "default";
    int own = __VERIFIER_nondet_int();
    if (own)
        name = strdup(name);
    if (own)
        free(name);
    return 0;
}
