/* Deletion of the first and of the last node of a circular list known by its last node. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);

struct node { struct node *next; };

static struct node *delete_first(struct node *last)
{
    struct node *first = last->next;
    if (first == last) {
        free(first);
        return NULL;
    }
    last->next = first->next;
    free(first);
    return last;
}

static struct node *delete_last(struct node *last)
{
    struct node *before = last->next;
    if (before == last) {
        free(last);
        return NULL;
    }
    while (before->next != last)
        before = before->next;
    before->next = last->next;
    free(last);
    return before;
}

int main(void)
{
    struct node *last = NULL;
    while (__VERIFIER_nondet_int()) {
        struct node *n = malloc(sizeof *n);
        n->next = last ? last->next : n;
        if (last)
            last->next = n;
        last = n;
    }
    while (last)
        last = __VERIFIER_nondet_int() ? delete_first(last) : delete_last(last);
    return 0;
}
