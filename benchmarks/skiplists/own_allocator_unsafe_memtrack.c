/* Two levels between a first and a last node, which are there from the start. An allocator of the program's own makes all blocks, and notes them. What stands on the lower level only is forgotten where another node follows. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *low, *high; };
struct list { struct node *first, *last; };
struct note { struct note *older; size_t size; };

static struct note *notes;

static void *get(size_t size)
{
    void *block = malloc(size);
    struct note *note = malloc(sizeof *note);
    if (!block || !note)
        abort();
    note->size = size;
    note->older = notes;
    notes = note;
    return block;
}

static void put_in(struct list *list)
{
    struct node *high = list->first;
    while (high->high != list->last && __VERIFIER_nondet_int())
        high = high->high;
    struct node *low = high;
    while (low->low != high->high && __VERIFIER_nondet_int())
        low = low->low;
    struct node *n = get(sizeof *n);
    n->low = low->low;
    n->high = NULL;
    low->low = n;
    if (__VERIFIER_nondet_int()) {
        n->high = high->high;
        high->high = n;
    }
}

int main(void)
{
    struct list *list = get(sizeof *list);
    list->first = get(sizeof *list->first);
    list->last = get(sizeof *list->last);
    list->first->low = list->first->high = list->last;
    list->last->low = list->last->high = NULL;
    while (__VERIFIER_nondet_int())
        put_in(list);
    while (list->first) {
        struct node *gone = list->first;
        list->first = gone->high ? gone->high : gone->low;
        free(gone);
    }
    free(list);
    while (notes) {
        struct note *older = notes->older;
        free(notes);
        notes = older;
    }
    return 0;
}
