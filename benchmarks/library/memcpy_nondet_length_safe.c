/* Tests memcpy with a nondeterministic length. */
#include <string.h>

extern unsigned int __VERIFIER_nondet_uint(void);

int main(void)
{
    char from[8] = "0123456", to[8];
    unsigned int n = __VERIFIER_nondet_uint();
    if (n > 8)
        return 0;
    memcpy(to, from, n);
    return n > 0 ? to[0] : 0;
}
