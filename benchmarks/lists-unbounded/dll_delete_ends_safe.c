/* Deletion of the first and of the last node of a doubly linked list with two end pointers. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *prev; };

static struct node *head, *tail;

static void push(void)
{
    struct node *n = malloc(sizeof(struct node));
    n->next = head;
    n->prev = NULL;
    if (head)
        head->prev = n;
    else
        tail = n;
    head = n;
}

static void drop_first(void)
{
    struct node *n = head;
    head = n->next;
    if (head)
        head->prev = NULL;
    else
        tail = NULL;
    free(n);
}

static void drop_last(void)
{
    struct node *n = tail;
    tail = n->prev;
    if (tail)
        tail->next = NULL;
    else
        head = NULL;
    free(n);
}

int main(void)
{
    while (__VERIFIER_nondet_int())
        push();
    while (tail) {
        if (__VERIFIER_nondet_int() && head)
            drop_first();
        else
            drop_last();
    }
    return 0;
}
