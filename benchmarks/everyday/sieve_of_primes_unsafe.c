/* The sieve of Eratosthenes for any limit. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

static char *sieve(int limit)
{
    char *composite = calloc((size_t)limit, 1);
    if (!composite)
        abort();
    for (int i = 2; i <= limit / i; i++) {
        if (composite[i])
            continue;
        for (int j = i * i; j <= limit; j += i)
            composite[j] = 1;
    }
    return composite;
}

int main(void)
{
    int limit = __VERIFIER_nondet_int();
    if (limit < 2 || limit > 100000)
        return 0;
    char *composite = sieve(limit);
    int primes = 0;
    for (int i = 2; i <= limit; i++)
        if (!composite[i])
            primes++;
    int *list = malloc(primes * sizeof *list);
    if (!list && primes > 0)
        abort();
    free(list);
    free(composite);
    return primes == 4;
}
