/* Iteration over an embedded list: the head is no entry. */
#include <stdlib.h>
#include <stddef.h>

extern void reach_error(void);

struct list {
    struct list *next, *prev;
};

struct entry {
    int value[4];
    struct list link;
};

#define entry_of(l) ((struct entry *)((char *)(l) - offsetof(struct entry, link)))

int main(void)
{
    struct list head = {&head, &head};
    struct entry e[3];
    for (int i = 0; i < 3; i++) {
        e[i].value[0] = i;
        e[i].link.prev = head.prev;
        e[i].link.next = &head;
        head.prev->next = &e[i].link;
        head.prev = &e[i].link;
    }
    int sum = 0;
    struct list *l = head.next;
    while (l != &head) {
        sum += entry_of(l)->value[0];
        l = l->next;
    }
    if (sum != 3)
        reach_error();
    return 0;
}
