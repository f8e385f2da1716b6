/* A doubly linked list of owners with a circular list each. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct ring {
    struct ring *next;
};

struct owner {
    struct ring *ring;
    struct owner *prev, *next;
};

static void free_ring(struct ring *ring)
{
    if (!ring)
        return;
    struct ring *r = ring->next;
    while (r != ring) {
        struct ring *next = r->next;
        free(r);
        r = next;
    }
    free(ring);
}

int main(void)
{
    struct owner *list = NULL;
    while (__VERIFIER_nondet_int()) {
        struct owner *o = malloc(sizeof *o);
        o->ring = NULL;
        while (__VERIFIER_nondet_int()) {
            struct ring *r = malloc(sizeof *r);
            r->next = o->ring ? o->ring->next : r;
            if (o->ring)
                o->ring->next = r;
            else
                o->ring = r;
        }
        o->prev = NULL;
        o->next = list;
        if (list)
            list->prev = o;
        list = o;
    }
    while (list) {
        struct owner *o = list;
        list = o->next;
        free_ring(o->ring);
        free(o);
    }
    return 0;
}
