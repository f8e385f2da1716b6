/* Tests an early free on an error path. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(16);
    int status = __VERIFIER_nondet_int();
    if (status < 0) {
        free(p);
        return 1;
    }
    free(p);
    return status > 0;
}
