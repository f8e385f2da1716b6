/* A circular doubly linked list with links embedded behind the start of each entry. Violation: the
 * address of the link is freed instead of the entry's.
 */
#include <stdlib.h>
#include <stddef.h>

struct list {
    struct list *next, *prev;
};

struct entry {
    int value;
    struct list link;
};

#define entry_of(l) ((struct entry *)((char *)(l) - offsetof(struct entry, link)))
static struct list head = {&head, &head};

static void add(struct list *l)
{
    l->next = head.next;
    l->prev = &head;
    head.next->prev = l;
    head.next = l;
}

int main(void)
{
    for (int i = 0; i < 3; i++) {
        struct entry *e = malloc(sizeof *e);
        e->value = i;
        add(&e->link);
    }
    while (head.next != &head) {
        struct list *l = head.next;
        head.next = l->next;
        l->next->prev = &head;
        free(l);
    }
    return 0;
}
