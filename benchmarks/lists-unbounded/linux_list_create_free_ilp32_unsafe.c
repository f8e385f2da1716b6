/* An embedded circular doubly linked list of any length, freed by a safe iteration. Violation: the
 * iteration reads the link of the entry just freed.
 */
#include <stdlib.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct list {
    struct list *next, *prev;
};

struct entry {
    int value;
    struct list link;
};

#define entry_of(l) ((struct entry *)((char *)(l) - offsetof(struct entry, link)))
static struct list head = {&head, &head};

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        struct entry *e = malloc(sizeof *e);
        e->value = 0;
        e->link.next = head.next;
        e->link.prev = &head;
        head.next->prev = &e->link;
        head.next = &e->link;
    }
    struct list *l = head.next;
    while (l != &head) {
        free(entry_of(l));
        l = l->next;
    }
    return 0;
}
