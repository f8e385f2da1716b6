/* Insertion sort of an embedded list into a second one, with a comparison of entries. */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head {
    struct list_head *next, *prev;
};

struct job {
    struct list_head list;
    int deadline;
};

#define list_entry(ptr, type, member) ((type *)((char *)(ptr) - offsetof(type, member)))
#define LIST_HEAD(name) struct list_head name = {&(name), &(name)}

static void list_move_tail(struct list_head *entry, struct list_head *where)
{
    entry->prev->next = entry->next;
    entry->next->prev = entry->prev;
    entry->next = where;
    entry->prev = where->prev;
    where->prev->next = entry;
    where->prev = entry;
}

static int later(const struct list_head *a, const struct list_head *b)
{
    return list_entry(a, struct job, list)->deadline > list_entry(b, struct job, list)->deadline;
}

int main(void)
{
    LIST_HEAD(jobs);
    LIST_HEAD(sorted);
    while (__VERIFIER_nondet_int()) {
        struct job *j = malloc(sizeof *j);
        j->deadline = __VERIFIER_nondet_int();
        j->list.next = j->list.prev = &j->list;
        list_move_tail(&j->list, &jobs);
    }
    while (jobs.next != &jobs) {
        struct list_head *where = sorted.next;
        while (where != &sorted && later(jobs.next, where))
            where = where->next;
        list_move_tail(jobs.next, where);
    }
    while (sorted.next != &sorted) {
        struct job *j = list_entry(sorted.next, struct job, list);
        sorted.next = j->list.next;
        free(j);
    }
    return 0;
}
