/* Each node of the upper level is visited, and from each the nodes up to the next one.
 * The upper level is walked in steps of two. */
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
    struct node *head = build();
    for (struct node *above = head; above; above = above->skip->skip)
        for (struct node *below = above->next; below != above->skip; below = below->next)
            below->skip = NULL;
    destroy(head);
    return 0;
}
