/* Deletion of any entries from an embedded list during iteration. */
#include <stdlib.h>
#include <stddef.h>

extern int __VERIFIER_nondet_int(void);

struct list {
    struct list *next, *prev;
};

struct entry {
    struct list link;
    int value;
};

static void unlink_node(struct list *l)
{
    l->prev->next = l->next;
    l->next->prev = l->prev;
}

int main(void)
{
    struct list head = {&head, &head};
    while (__VERIFIER_nondet_int()) {
        struct entry *e = malloc(sizeof *e);
        e->value = __VERIFIER_nondet_int();
        e->link.prev = head.prev;
        e->link.next = &head;
        head.prev->next = &e->link;
        head.prev = &e->link;
    }
    struct list *l = head.next;
    while (l != &head) {
        struct entry *e = (struct entry *)l;
        l = l->next;
        if (e->value > 0) {
            unlink_node(&e->link);
            free(e);
        }
    }
    while (head.next != &head) {
        l = head.next;
        unlink_node(l);
        free(l);
    }
    return 0;
}
