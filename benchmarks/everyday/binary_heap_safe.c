/* A priority queue as a binary heap in an array. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct heap {
    int size, capacity;
    int *items;
};

static void swap(int *a, int *b)
{
    int t = *a;
    *a = *b;
    *b = t;
}

static int push(struct heap *h, int item)
{
    if (h->size == h->capacity)
        return 0;
    int i = h->size++;
    h->items[i] = item;
    while (i > 0 && h->items[(i - 1) / 2] > h->items[i]) {
        swap(&h->items[(i - 1) / 2], &h->items[i]);
        i = (i - 1) / 2;
    }
    return 1;
}

static int pop(struct heap *h)
{
    int top = h->items[0];
    h->items[0] = h->items[--h->size];
    int i = 0;
    for (;;) {
        int child = 2 * i + 1;
        if (child >= h->size)
            break;
        if (child + 1 < h->size && h->items[child + 1] < h->items[child])
            child++;
        if (h->items[i] <= h->items[child])
            break;
        swap(&h->items[i], &h->items[child]);
        i = child;
    }
    return top;
}

int main(void)
{
    struct heap h = { 0, __VERIFIER_nondet_int(), NULL };
    if (h.capacity < 1 || h.capacity > 10000)
        return 0;
    h.items = malloc(h.capacity * sizeof *h.items);
    if (!h.items)
        return 1;
    while (__VERIFIER_nondet_int()) {
        if (__VERIFIER_nondet_int())
            push(&h, __VERIFIER_nondet_int());
        else if (h.size > 0)
            pop(&h);
    }
    free(h.items);
    return 0;
}
