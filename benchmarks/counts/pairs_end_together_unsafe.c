/* Two lists are built in one loop. Where a walk over one of them ends, the other must be at its end, too. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct left {
    struct left *next;
};

struct right {
    int key;
    struct right *rest;
};

int main(void)
{
    struct left *lefts = 0;
    struct right *rights = 0;
    while (__VERIFIER_nondet_int()) {
        struct left *one = malloc(sizeof *one);
        struct right *other = malloc(sizeof *other);
        if (!one || !other) {
            free(one);
            free(other);
            break;
        }
        one->next = lefts;
        lefts = one;
        other->key = 1;
        other->rest = rights;
        rights = other;
    }
    struct left *l = lefts ? lefts->next : lefts;
    struct right *r = rights;
    while (l) {
        l = l->next;
        r = r->rest;
    }
    if (r)
        *(volatile int *)0 = r->key;
    while (lefts) {
        struct left *next = lefts->next;
        free(lefts);
        lefts = next;
    }
    while (rights) {
        struct right *rest = rights->rest;
        free(rights);
        rights = rest;
    }
    return 0;
}
