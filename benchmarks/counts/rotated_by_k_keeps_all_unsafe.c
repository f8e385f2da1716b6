/* The first k nodes of a list are moved behind the last one; then all n nodes are taken off, and one more. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct bead {
    struct bead *next;
};

static struct bead *string_of(int n)
{
    struct bead *all = NULL;
    while (n-- > 0) {
        struct bead *bead = malloc(sizeof *bead);
        if (!bead)
            abort();
        bead->next = all;
        all = bead;
    }
    return all;
}

int main(void)
{
    int n = __VERIFIER_nondet_int(), k = __VERIFIER_nondet_int();
    if (n < 2 || n > 50000 || k < 1 || k >= n)
        return 0;
    struct bead *all = string_of(n);

    struct bead *last = all;
    for (int i = 1; i < k; i++)
        last = last->next;
    struct bead *rest = last->next, *end = rest;
    while (end->next)
        end = end->next;
    last->next = NULL;
    end->next = all;
    all = rest;

    for (int i = 0; i < n + 1; i++) {
        struct bead *gone = all;
        all = all->next;
        free(gone);
    }
    return all != NULL;
}
