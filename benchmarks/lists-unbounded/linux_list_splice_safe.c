/* list_splice_init: all entries of one embedded list are moved behind the head of another. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head {
    struct list_head *next, *prev;
};

struct page {
    struct list_head lru;
    unsigned long flags;
};

static void list_init(struct list_head *h)
{
    h->next = h->prev = h;
}

static int list_empty(const struct list_head *h)
{
    return h->next == h;
}

static void list_splice_init(struct list_head *from, struct list_head *to)
{
    if (!list_empty(from)) {
        struct list_head *first = from->next, *last = from->prev, *at = to->next;
        first->prev = to;
        to->next = first;
        last->next = at;
        at->prev = last;
        list_init(from);
    }
}

static void fill(struct list_head *h)
{
    list_init(h);
    while (__VERIFIER_nondet_int()) {
        struct page *p = malloc(sizeof(struct page));
        p->flags = 0UL;
        p->lru.next = h->next;
        p->lru.prev = h;
        h->next->prev = &p->lru;
        h->next = &p->lru;
    }
}

static void drain(struct list_head *h)
{
    struct list_head *l = h->next;
    while (l != h) {
        struct page *p = (struct page *)l;
        l = l->next;
        free(p);
    }
    list_init(h);
}

int main(void)
{
    struct list_head active, inactive;
    fill(&active);
    fill(&inactive);
    list_splice_init(&inactive, &active);
    drain(&active);
    drain(&inactive);
    return 0;
}
