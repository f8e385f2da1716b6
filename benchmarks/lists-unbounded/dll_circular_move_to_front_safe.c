/* Moving any node of a circular doubly linked list behind the head. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *prev, *next;
};

static void link_behind(struct node *at, struct node *n)
{
    n->prev = at;
    n->next = at->next;
    at->next->prev = n;
    at->next = n;
}

int main(void)
{
    struct node head = {&head, &head};
    while (__VERIFIER_nondet_int())
        link_behind(&head, malloc(sizeof(struct node)));
    struct node *n = head.next;
    while (n != &head && __VERIFIER_nondet_int())
        n = n->next;
    if (n != &head) {
        n->prev->next = n->next;
        n->next->prev = n->prev;
        link_behind(&head, n);
    }
    n = head.next;
    while (n != &head) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
    return 0;
}
