/* Splicing two circular doubly linked lists with a head node each. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node {
    struct node *prev, *next;
};

static struct node *create(void)
{
    struct node *head = malloc(sizeof *head);
    head->prev = head->next = head;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->prev = head;
        n->next = head->next;
        head->next->prev = n;
        head->next = n;
    }
    return head;
}

int main(void)
{
    struct node *a = create(), *b = create();
    if (b->next != b) {
        b->next->prev = a->prev;
        a->prev->next = b->next;
        b->prev->next = a;
        a->prev = b->prev;
    }
    free(b);
    struct node *n = a->next;
    while (n != a) {
        struct node *next = n->next;
        free(n);
        n = next;
    }
    free(a);
    return 0;
}
