/* The outer list of a list of lists of lists is built in order of a key. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct c { struct c *next; };
struct b { struct c *cs; struct b *next; };
struct a { int key; struct b *bs; struct a *next; };

static struct b *make_bs(void)
{
    struct b *bs = NULL;
    while (__VERIFIER_nondet_int()) {
        struct b *y = malloc(sizeof *y);
        y->next = bs;
        y->cs = NULL;
        bs = y;
        while (__VERIFIER_nondet_int()) {
            struct c *z = malloc(sizeof *z);
            z->next = y->cs;
            y->cs = z;
        }
    }
    return bs;
}

int main(void)
{
    struct a *as = NULL;
    while (__VERIFIER_nondet_int()) {
        struct a *x = malloc(sizeof *x);
        struct a **at = &as;
        x->key = __VERIFIER_nondet_int();
        x->bs = make_bs();
        while (*at && (*at)->key < x->key)
            at = &(*at)->next;
        x->next = *at;
        *at = x;
    }
    while (as) {
        struct a *x = as;
        as = x->next;
        while (x->bs) {
            struct b *y = x->bs;
            x->bs = y->next;
            while (y->cs) {
                struct c *z = y->cs;
                y->cs = z->next;
                free(z);
            }
            free(y);
        }
        free(x);
    }
    return 0;
}
