/* list_add, list_add_tail and insertion in front of any entry of an embedded list. Violation:
 * the entry behind the new one is linked, the one before it is not.
 */
#include <stddef.h>
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct list_head {
    struct list_head *next, *prev;
};

struct request {
    struct list_head queue;
    int priority;
};

static inline void __list_add(struct list_head *n, struct list_head *prev, struct list_head *next)
{
    next->prev = n;
    n->next = next;
    n->prev = prev;
    if (prev == next)
        prev->next = n;
}

static inline void list_add(struct list_head *n, struct list_head *head)
{
    __list_add(n, head, head->next);
}

static inline void list_add_tail(struct list_head *n, struct list_head *head)
{
    __list_add(n, head->prev, head);
}

int main(void)
{
    struct list_head *head = malloc(sizeof(struct list_head)), *pos;
    head->next = head->prev = head;
    while (__VERIFIER_nondet_int()) {
        struct request *r = malloc(sizeof(struct request));
        r->priority = __VERIFIER_nondet_int();
        if (r->priority < 0) {
            list_add(&r->queue, head);
        } else if (r->priority == 0) {
            list_add_tail(&r->queue, head);
        } else {
            for (pos = head->next; pos != head; pos = pos->next)
                if (((struct request *)pos)->priority <= r->priority)
                    break;
            list_add_tail(&r->queue, pos);
        }
    }
    for (pos = head->next; pos != head;) {
        struct request *r = (struct request *)pos;
        pos = pos->next;
        free(r);
    }
    free(head);
    return 0;
}
