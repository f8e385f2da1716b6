/* A queue with two ends, from whose middle items are removed by value. Its items are read after they are freed. */
#include <stdlib.h>

struct item { struct item *prev, *next; int value; };
struct deque { struct item *front, *back; };

extern int __VERIFIER_nondet_int(void);

static void push_back(struct deque *d, int value)
{
    struct item *i = malloc(sizeof *i);
    if (!i)
        abort();
    i->value = value;
    i->next = NULL;
    i->prev = d->back;
    if (d->back)
        d->back->next = i;
    else
        d->front = i;
    d->back = i;
}

static void push_front(struct deque *d, int value)
{
    struct item *i = malloc(sizeof *i);
    if (!i)
        abort();
    i->value = value;
    i->prev = NULL;
    i->next = d->front;
    if (d->front)
        d->front->prev = i;
    else
        d->back = i;
    d->front = i;
}

static void detach(struct deque *d, struct item *i)
{
    if (i->prev)
        i->prev->next = i->next;
    else
        d->front = i->next;
    if (i->next)
        i->next->prev = i->prev;
    else
        d->back = i->prev;
    free(i);
}

static void drop(struct deque *d, int value)
{
    struct item *i = d->front;
    while (i) {
        if (i->value == value)
            detach(d, i);
        i = i->next;
    }
}

int main(void)
{
    struct deque d = {NULL, NULL};
    while (__VERIFIER_nondet_int()) {
        int value = __VERIFIER_nondet_int();
        switch (__VERIFIER_nondet_int()) {
        case 0: push_back(&d, value); break;
        case 1: push_front(&d, value); break;
        case 2: if (d.front) detach(&d, d.front); break;
        case 3: if (d.back) detach(&d, d.back); break;
        default: drop(&d, value); break;
        }
    }
    while (d.front)
        detach(&d, d.front);
    return d.back != NULL;
}
