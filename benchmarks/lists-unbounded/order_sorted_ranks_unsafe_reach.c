/* Nodes of three ranks are put into a list that stays sorted by rank; a walk never meets a lower rank after a higher one. */
#include <stdlib.h>

extern int __VERIFIER_nondet_int(void);
extern void reach_error(void);

enum rank { LOW, MIDDLE, HIGH };

struct node {
    enum rank rank;
    struct node *next;
};

static struct node *insert(struct node *list, enum rank rank)
{
    struct node *n = malloc(sizeof *n);
    if (!n)
        abort();
    n->rank = rank;
    if (!list || list->rank >= rank) {
        n->next = list;
        return n;
    }
    struct node *at = list;
    while (at->next && at->next->rank != rank)
        at = at->next;
    n->next = at->next;
    at->next = n;
    return list;
}

int main(void)
{
    struct node *list = NULL;
    while (__VERIFIER_nondet_int()) {
        int choice = __VERIFIER_nondet_int();
        enum rank rank = HIGH;
        if (choice == 0)
            rank = LOW;
        else if (choice == 1)
            rank = MIDDLE;
        list = insert(list, rank);
    }
    enum rank seen = LOW;
    while (list) {
        struct node *next = list->next;
        if (list->rank < seen)
            reach_error();
        seen = list->rank;
        free(list);
        list = next;
    }
    return 0;
}
