/* Tests an early free on an error path. Violation: the error path goes on to the common free. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

int main(void)
{
    char *p = malloc(16);
    int status = __VERIFIER_nondet_int();
    if (status < 0) {
        free(p);
        status = 1;
    }
    free(p);
    return status > 0;
}
