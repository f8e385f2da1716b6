/* Deleted nodes are put on a free list and taken from there before the heap is asked. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; int data; };

static struct node *unused, *used;

static struct node *get(void)
{
    struct node *n = unused;
    if (n)
        unused = n->next;
    else
        n = malloc(sizeof *n);
    n->data = 0;
    return n;
}

static void put(struct node *n)
{
    n->next = unused;
    unused = n;
}

static void clear(struct node **list)
{
    while (*list) {
        struct node *next = (*list)->next;
        free(*list);
        *list = next;
    }
}

int main(void)
{
    while (__VERIFIER_nondet_int()) {
        struct node *n;
        if (__VERIFIER_nondet_int()) {
            n = get();
            n->next = used;
            used = n;
        } else if (used) {
            n = used;
            used = n->next;
            put(n);
        }
    }
    clear(&used);
    clear(&unused);
    return 0;
}
