/* A queue in a ring buffer of a capacity chosen at run time. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern unsigned __VERIFIER_nondet_uint(void);

struct ring {
    unsigned head, count, capacity;
    int *items;
};

static int ring_init(struct ring *r, unsigned capacity)
{
    r->items = malloc(capacity * sizeof *r->items);
    r->head = r->count = 0;
    r->capacity = capacity;
    return r->items != NULL;
}

static int ring_put(struct ring *r, int item)
{
    if (r->count == r->capacity)
        return 0;
    r->items[r->head + r->count] = item;
    r->count++;
    return 1;
}

static int ring_get(struct ring *r, int *item)
{
    if (r->count == 0)
        return 0;
    *item = r->items[r->head];
    r->head = (r->head + 1) % r->capacity;
    r->count--;
    return 1;
}

int main(void)
{
    struct ring r;
    unsigned capacity = __VERIFIER_nondet_uint();
    if (capacity == 0 || capacity > 4096 || !ring_init(&r, capacity))
        return 1;
    while (__VERIFIER_nondet_int()) {
        int item;
        if (__VERIFIER_nondet_int())
            ring_put(&r, __VERIFIER_nondet_int());
        else
            ring_get(&r, &item);
    }
    free(r.items);
    return 0;
}
