/* Linux-style lists in entries of a Linux-style list. Violation: the inner list's head inside
 * its owner is taken for an entry.
 */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head { struct list_head *next, *prev; };

struct device { struct list_head siblings; };
struct bus { int nr; struct list_head buses, devices; };

#define entry(p, type, member) ((type *)((char *)(p) - offsetof(type, member)))

static void init(struct list_head *h)
{
    h->next = h->prev = h;
}

static void add(struct list_head *l, struct list_head *h)
{
    l->next = h->next;
    l->prev = h;
    h->next->prev = l;
    h->next = l;
}

static void del(struct list_head *l)
{
    l->next->prev = l->prev;
    l->prev->next = l->next;
}

int main(void)
{
    struct list_head all;
    init(&all);
    while (__VERIFIER_nondet_int()) {
        struct bus *b = malloc(sizeof *b);
        b->nr = 0;
        init(&b->devices);
        add(&b->buses, &all);
        while (__VERIFIER_nondet_int()) {
            struct device *d = malloc(sizeof *d);
            add(&d->siblings, &b->devices);
        }
    }
    while (all.next != &all) {
        struct bus *b = entry(all.next, struct bus, buses);
        do {
            struct device *d = entry(b->devices.next, struct device, siblings);
            del(&d->siblings);
            free(d);
        } while (b->devices.next != &b->devices);
        del(&b->buses);
        free(b);
    }
    return 0;
}
