/* Entries that are on two embedded lists at the same time. */
#include <stdlib.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct list {
    struct list *next, *prev;
};

struct entry {
    struct list all;
    struct list active;
};

#define of_all(l) ((struct entry *)((char *)(l) - offsetof(struct entry, all)))

static void add(struct list *l, struct list *head)
{
    l->next = head->next;
    l->prev = head;
    head->next->prev = l;
    head->next = l;
}

static void del(struct list *l)
{
    l->prev->next = l->next;
    l->next->prev = l->prev;
}

int main(void)
{
    struct list all = {&all, &all}, active = {&active, &active};
    while (__VERIFIER_nondet_int()) {
        struct entry *e = malloc(sizeof *e);
        add(&e->all, &all);
        add(&e->active, &active);
    }
    while (all.next != &all) {
        struct entry *e = of_all(all.next);
        del(&e->all);
        del(&e->active);
        free(e);
    }
    int n = 0;
    for (struct list *l = active.next; l != &active; l = l->next)
        n = 1;
    return n;
}
