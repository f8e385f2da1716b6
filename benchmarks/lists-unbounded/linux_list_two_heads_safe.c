/* Entries that are moved from one embedded list to another. */
#include <stdlib.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct list {
    struct list *next, *prev;
};

struct entry {
    long value;
    struct list link;
};

#define entry_of(l) ((struct entry *)((char *)(l) - offsetof(struct entry, link)))

static void add(struct list *l, struct list *head)
{
    l->next = head->next;
    l->prev = head;
    head->next->prev = l;
    head->next = l;
}

static void destroy(struct list *head)
{
    while (head->next != head) {
        struct list *l = head->next;
        l->prev->next = l->next;
        l->next->prev = l->prev;
        free(entry_of(l));
    }
}

int main(void)
{
    struct list waiting = {&waiting, &waiting}, done = {&done, &done};
    while (__VERIFIER_nondet_int()) {
        struct entry *e = malloc(sizeof *e);
        e->value = 0;
        add(&e->link, &waiting);
    }
    while (waiting.next != &waiting && __VERIFIER_nondet_int()) {
        struct list *l = waiting.next;
        l->prev->next = l->next;
        l->next->prev = l->prev;
        add(l, &done);
    }
    destroy(&waiting);
    destroy(&done);
    return 0;
}
