/* Every node is on both levels. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *skip; };

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
    struct node *head = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = n->skip = head;
        head = n;
    }
    for (struct node *n = head; n; n = n->skip)
        if (n->next != n->skip)
            n->next->next = NULL;
    destroy(head);
    return 0;
}
