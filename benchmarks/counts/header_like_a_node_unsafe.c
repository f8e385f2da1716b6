/* The header of a list is as large as its nodes, and its pointer to the last node stands where nodes have their link. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct item {
    void *owner;
    struct item *next;
    long weight;
};

struct shelf {
    struct item *first, *last;
    long count;
};

int main(void)
{
    struct shelf *shelf = calloc(1, sizeof *shelf);
    if (!shelf)
        return 1;
    while (shelf->count < 1000000 && __VERIFIER_nondet_int()) {
        struct item *item = malloc(sizeof *item);
        if (!item)
            break;
        item->owner = shelf;
        item->next = 0;
        item->weight = 1;
        if (shelf->count == 0)
            shelf->first = item;
        else
            shelf->last->next = item;
        shelf->last = item;
        shelf->count++;
    }
    long steps = __VERIFIER_nondet_int();
    if (steps >= 0 && steps <= shelf->count) {
        struct item *at = shelf->first;
        for (; steps > 0; steps--)
            at = at->next;
        at->weight++;
    }
    while (shelf->first) {
        struct item *next = shelf->first->next;
        free(shelf->first);
        shelf->first = next;
    }
    free(shelf);
    return 0;
}
