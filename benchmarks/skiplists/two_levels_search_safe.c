/* A search goes right on the upper level, then down, then right on the lower one. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *skip; int key; };

static struct node *build(void)
{
    struct node *head = malloc(sizeof *head);
    head->next = head->skip = NULL;
    head->key = 0;
    struct node *last = head, *tall = head;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = n->skip = NULL;
        n->key = __VERIFIER_nondet_int();
        last->next = n;
        last = n;
        if (__VERIFIER_nondet_int()) {
            tall->skip = n;
            tall = n;
        }
    }
    return head;
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
    struct node *head = build();
    int key = __VERIFIER_nondet_int();
    struct node *at = head;
    while (at->skip && at->skip->key <= key)
        at = at->skip;
    while (at->next && at->next->key <= key)
        at = at->next;
    at->key = key;
    destroy(head);
    return 0;
}
