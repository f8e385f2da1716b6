/* A set of small numbers as bits in words. */
#include <limits.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

enum { BITS = sizeof(unsigned) * CHAR_BIT };

struct set {
    unsigned limit;
    unsigned *words;
};

static struct set *set_new(unsigned limit)
{
    struct set *s = malloc(sizeof *s);
    if (!s)
        return NULL;
    s->limit = limit;
    s->words = calloc(limit / BITS, sizeof *s->words);
    if (!s->words) {
        free(s);
        return NULL;
    }
    return s;
}

static void set_add(struct set *s, unsigned number)
{
    if (number < s->limit)
        s->words[number / BITS] |= 1u << (number % BITS);
}

static int set_has(const struct set *s, unsigned number)
{
    return number < s->limit && (s->words[number / BITS] >> (number % BITS) & 1u);
}

int main(void)
{
    unsigned limit = __VERIFIER_nondet_uint();
    if (limit > 1000000)
        return 0;
    struct set *s = set_new(limit);
    if (!s)
        return 1;
    while (__VERIFIER_nondet_int())
        set_add(s, __VERIFIER_nondet_uint());
    int found = 0;
    for (unsigned i = 0; i < limit; i++)
        found |= set_has(s, i);
    free(s->words);
    free(s);
    return found;
}
