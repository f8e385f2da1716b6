/* Nodes are inserted anywhere: on the lower level, and on the upper one as well for some. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *skip; };
struct list { struct node *head, *tail; int length; };

static void create(struct list *l)
{
    l->head = malloc(sizeof *l->head);
    l->tail = malloc(sizeof *l->tail);
    l->head->next = l->head->skip = l->tail;
    l->tail->next = l->tail->skip = NULL;
    l->length = 2;
}

static void insert(struct list *l)
{
    struct node *above = l->head;
    while (above->skip != l->tail && __VERIFIER_nondet_int())
        above = above->skip;
    struct node *below = above;
    while (below->next != above->skip && __VERIFIER_nondet_int())
        below = below->next;
    struct node *n = malloc(sizeof *n);
    n->skip = NULL;
    n->next = below->next;
    below->next = n;
    if (__VERIFIER_nondet_int()) {
        n->skip = above->skip;
        above->skip = n;
    }
    l->length++;
}

static void destroy(struct node *head)
{
    while (head) {
        struct node *gone = head;
        head = head->next;
        free(gone);
    }
}

int main(void)
{
    struct list l;
    create(&l);
    while (__VERIFIER_nondet_int())
        insert(&l);
    destroy(l.head);
    return 0;
}
