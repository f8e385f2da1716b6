/* A list of records, each the head of a circular doubly linked list, which leads to its head when it is empty. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link {
    struct link *next, *prev;
};

struct record {
    struct link head;
    struct record *next;
};

int main(void)
{
    struct record *records = NULL;
    while (__VERIFIER_nondet_int()) {
        struct record *r = malloc(sizeof *r);
        r->head.next = r->head.prev = &r->head;
        while (__VERIFIER_nondet_int()) {
            struct link *l = malloc(sizeof *l);
            l->next = r->head.next;
            l->prev = &r->head;
            l->next->prev = l;
            r->head.next = l;
        }
        r->next = records;
        records = r;
    }
    while (records) {
        struct record *r = records;
        records = r->next;
        while (r->head.prev != &r->head) {
            struct link *l = r->head.prev;
            r->head.prev = l->prev;
            free(l);
        }
        free(r);
    }
    return 0;
}
