/* The first or the last entry of an embedded list is taken off until none is left. Violation:
 * the entry is freed before it is unlinked.
 */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list { struct list *next, *prev; };

struct buffer {
    struct list link;
    char bytes[6];
};

static struct list buffers = {.next = &buffers, .prev = &buffers};

static int empty(const struct list *l)
{
    return l->next == l;
}

static void list_del(struct list *entry)
{
    struct list *const prev = entry->prev, *const next = entry->next;
    next->prev = prev;
    prev->next = next;
    entry->next = entry->prev = NULL;
}

static void drop(struct list *l)
{
    struct buffer *b = (struct buffer *)((char *)l - offsetof(struct buffer, link));
    free(b);
    list_del(l);
}

int main(void)
{
    do {
        struct buffer *b = malloc(sizeof *b);
        b->bytes[5] = 0;
        b->link.prev = &buffers;
        b->link.next = buffers.next;
        b->link.next->prev = &b->link;
        buffers.next = &b->link;
    } while (__VERIFIER_nondet_int());
    while (!empty(&buffers)) {
        drop(buffers.next);
        if (!empty(&buffers) && __VERIFIER_nondet_int())
            drop(buffers.prev);
    }
    return 0;
}
