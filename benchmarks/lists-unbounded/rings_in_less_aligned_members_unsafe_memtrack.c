/* A list of owners of rings. The ring is closed by a member of its owner, which is less aligned than a block of the heap; its last link is forgotten. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct link { long key; struct link *next; };
struct owner { long key; struct link ring; struct owner *next; };

int main(void)
{
    struct owner *first = NULL, *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct owner *o = malloc(sizeof *o);
        o->ring.next = &o->ring;
        o->next = NULL;
        while (__VERIFIER_nondet_int()) {
            struct link *l = malloc(sizeof *l);
            l->next = o->ring.next;
            o->ring.next = l;
        }
        if (first)
            last->next = o;
        else
            first = o;
        last = o;
    }
    while (first) {
        struct owner *o = first;
        first = o->next;
        struct link *l = o->ring.next;
        while (l != &o->ring && l->next != &o->ring) {
            struct link *gone = l;
            l = l->next;
            free(gone);
        }
        free(o);
    }
    return 0;
}
