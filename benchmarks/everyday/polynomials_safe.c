/* Polynomials as lists of terms in falling order of their exponents: their product. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct term {
    int factor;
    unsigned exponent;
    struct term *next;
};

static struct term *make(int factor, unsigned exponent, struct term *next)
{
    struct term *new = malloc(sizeof *new);
    if (!new)
        abort();
    new->factor = factor;
    new->exponent = exponent;
    new->next = next;
    return new;
}

static void add(struct term **sum, int factor, unsigned exponent)
{
    while (*sum && (*sum)->exponent > exponent)
        sum = &(*sum)->next;
    if (*sum && (*sum)->exponent == exponent)
        (*sum)->factor ^= factor;
    else
        *sum = make(factor, exponent, *sum);
}

static struct term *product(const struct term *left, const struct term *right)
{
    struct term *result = NULL;
    for (; left; left = left->next)
        for (const struct term *other = right; other; other = other->next)
            add(&result, left->factor & other->factor, left->exponent + other->exponent);
    return result;
}

static void destroy(struct term *terms)
{
    while (terms) {
        struct term *next = terms->next;
        free(terms);
        terms = next;
    }
}

static struct term *read(void)
{
    struct term *result = NULL;
    int factor;
    while ((factor = __VERIFIER_nondet_int()) != 0)
        add(&result, factor, __VERIFIER_nondet_int() & 255);
    return result;
}

int main(void)
{
    struct term *left = read(), *right = read();
    struct term *both = product(left, right);
    destroy(left);
    destroy(right);
    int first = both ? both->factor : 0;
    destroy(both);
    return first != 0;
}
