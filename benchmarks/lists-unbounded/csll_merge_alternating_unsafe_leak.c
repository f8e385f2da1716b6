/* Two circular lists merged into one ring by taking a node from each in turn. Violation: what is
 * left of the second ring is not taken over.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct ring {
    struct ring *next;
    int id;
};

/* A ring is known by its last node; the empty one is null. */
static void append(struct ring **last, struct ring *n)
{
    if (*last) {
        n->next = (*last)->next;
        (*last)->next = n;
    } else {
        n->next = n;
    }
    *last = n;
}

static struct ring *take_first(struct ring **last)
{
    struct ring *first = (*last)->next;
    if (first == *last)
        *last = NULL;
    else
        (*last)->next = first->next;
    return first;
}

static struct ring *create(int id)
{
    struct ring *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct ring *n = malloc(sizeof *n);
        n->id = id;
        append(&last, n);
    }
    return last;
}

int main(void)
{
    struct ring *a = create(1), *b = create(2), *all = NULL;
    while (a) {
        if (a)
            append(&all, take_first(&a));
        if (b)
            append(&all, take_first(&b));
    }
    while (all)
        free(take_first(&all));
    return 0;
}
