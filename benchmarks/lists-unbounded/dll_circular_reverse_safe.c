/* Reversal of a circular doubly linked list by exchanging the links of every node. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *next, *prev;
};

static void reverse(struct node *head)
{
    struct node *p = head;
    do {
        struct node *next = p->next;
        p->next = p->prev;
        p->prev = next;
        p = next;
    } while (p != head);
}

int main(void)
{
    struct node *head = malloc(sizeof(struct node));
    head->next = head;
    head->prev = head;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof(struct node));
        n->prev = head;
        n->next = head->next;
        head->next->prev = n;
        head->next = n;
    }
    reverse(head);
    while (head->next != head) {
        struct node *n = head->next;
        head->next = n->next;
        n->next->prev = head;
        free(n);
    }
    free(head);
    return 0;
}
