/* Deletion of the first, the last and any node of a circular doubly linked list with a head on
 * the stack.
 */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *prev; int key; };

static void delete(struct node *n)
{
    n->prev->next = n->next;
    n->next->prev = n->prev;
    free(n);
}

int main(void)
{
    struct node head;
    head.next = head.prev = &head;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->key = __VERIFIER_nondet_int();
        n->next = &head;
        n->prev = head.prev;
        n->prev->next = n;
        head.prev = n;
    }
    int key = __VERIFIER_nondet_int();
    struct node *p = head.next;
    while (p != &head && p->key != key)
        p = p->next;
    if (p != &head)
        delete(p);
    while (head.next != &head) {
        delete(head.next);
        if (head.prev != &head)
            delete(head.prev);
    }
    return 0;
}
