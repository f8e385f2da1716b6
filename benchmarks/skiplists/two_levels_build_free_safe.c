/* Two levels, built at the end: some nodes are also on the upper level. Freed along the lower one. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next, *skip; };

static struct node *build(void)
{
    struct node *head = malloc(sizeof *head);
    head->next = head->skip = NULL;
    struct node *last = head, *tall = head;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = n->skip = NULL;
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
    destroy(build());
    return 0;
}
