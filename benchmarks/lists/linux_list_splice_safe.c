/* Splicing two short lists with embedded links. */
#include <stdlib.h>

extern void reach_error(void);

struct list {
    struct list *next, *prev;
};

static void insert(struct list *l, struct list *prev, struct list *next)
{
    l->prev = prev;
    l->next = next;
    prev->next = l;
    next->prev = l;
}

int main(void)
{
    struct list a = {&a, &a}, b = {&b, &b};
    for (int i = 0; i < 2; i++) {
        insert(malloc(sizeof a), &a, a.next);
        insert(malloc(sizeof b), &b, b.next);
    }
    struct list *first = b.next, *last = b.prev;
    first->prev = &a;
    last->next = a.next;
    a.next->prev = last;
    a.next = first;
    b.next = b.prev = &b;
    int n = 0;
    while (a.next != &a) {
        struct list *l = a.next;
        a.next = l->next;
        l->next->prev = &a;
        free(l);
        n++;
    }
    if (n != 4)
        reach_error();
    return 0;
}
